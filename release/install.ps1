# Installs asp for Windows (x86-64), for this user, from a release's archive whose checksum it compares:
#   irm https://repository.invalid/asp/releases/latest/download/install.ps1 | iex
# ASP_VERSION is another version than the last one, ASP_HOME another folder, ASP_RELEASES another place.
function Install-Asp {
    # Here, not in the terminal's own scope.
    $ErrorActionPreference = "Stop"
    $ProgressPreference = "SilentlyContinue"
    $version = if ($env:ASP_VERSION) { $env:ASP_VERSION } else { "0.1.0" }
    $releases = if ($env:ASP_RELEASES) { $env:ASP_RELEASES } else { "https://repository.invalid/asp/releases/download" }
    $place = if ($env:ASP_HOME) { $env:ASP_HOME } else { Join-Path $env:LOCALAPPDATA "asp" }
    $name = "asp-$version-x86_64-pc-windows-msvc"
    $folder = Join-Path ([IO.Path]::GetTempPath()) ([Guid]::NewGuid())
    New-Item -ItemType Directory -Path $folder | Out-Null
    try {
        $archive = Join-Path $folder "$name.zip"
        Invoke-WebRequest -UseBasicParsing -Uri "$releases/v$version/$name.zip" -OutFile $archive
        Invoke-WebRequest -UseBasicParsing -Uri "$releases/v$version/$name.zip.sha256" -OutFile "$archive.sha256"
        $expected = (Get-Content -Raw "$archive.sha256").Split(" ")[0]
        if ((Get-FileHash -Algorithm SHA256 $archive).Hash -ne $expected) { throw "the checksum of $name.zip is another one" }
        Expand-Archive -Path $archive -DestinationPath $folder
        New-Item -ItemType Directory -Force -Path $place | Out-Null
        # A program that runs cannot be written over, but renamed.
        Get-ChildItem (Join-Path $place "bin") -Filter "*.old" -ErrorAction SilentlyContinue | Remove-Item -Force -ErrorAction SilentlyContinue
        Get-ChildItem (Join-Path $place "bin") -Filter "*.exe" -ErrorAction SilentlyContinue |
            ForEach-Object { Move-Item -Force $_.FullName "$($_.FullName).$([Guid]::NewGuid()).old" }
        Copy-Item -Recurse -Force (Join-Path $folder "$name\*") $place
    } finally {
        Remove-Item -Recurse -Force $folder
    }
    $programs = Join-Path $place "bin"
    # As it is written there: entries such as %USERPROFILE% stay what they are.
    $key = [Microsoft.Win32.Registry]::CurrentUser.CreateSubKey("Environment")
    $path = [string]$key.GetValue("Path", "", [Microsoft.Win32.RegistryValueOptions]::DoNotExpandEnvironmentNames)
    if (-not (";$path;".Contains(";$programs;"))) {
        $key.SetValue("Path", "$path;$programs".TrimStart(";"), [Microsoft.Win32.RegistryValueKind]::ExpandString)
        # Tells other programs that the environment has changed, which the registry alone does not.
        [Environment]::SetEnvironmentVariable("ASP_INSTALLER", $null, "User")
        Write-Output "new terminals find it"
    }
    $env:Path = "$env:Path;$programs"
    Write-Output "asp $version is in $programs"
}

# All of it, or nothing if the script was cut off.
Install-Asp
