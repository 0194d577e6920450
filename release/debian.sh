#!/usr/bin/env bash
# Makes a package for Debian and Ubuntu from the unpacked archive of a release: release/debian.sh FOLDER TARGET OUT
set -euo pipefail
folder="$1" version="$(python3 "$(dirname "$0")/project.py" version)"
case "$2" in
    x86_64-*) machine=amd64 ;;
    aarch64-*) machine=arm64 ;;
    *)
        echo "no package for Debian is for $2" >&2
        exit 1
        ;;
esac
stage="$(mktemp -d)"
trap 'rm -r "$stage"' EXIT
chmod 755 "$stage"
mkdir -p "$stage/DEBIAN" "$stage/usr/share/doc/asp-solver" "$stage/usr/share/zsh/vendor-completions"
cp -r "$folder/bin" "$stage/usr/"
cp -r "$folder/share/man" "$folder/share/bash-completion" "$folder/share/fish" "$stage/usr/share/"
cp "$folder/share/zsh/site-functions/_asp" "$stage/usr/share/zsh/vendor-completions/"
gzip -9 -n "$stage/usr/share/man/man1/asp.1"
cp "$folder/LICENSE" "$stage/usr/share/doc/asp-solver/copyright"
cp "$folder"/LICENSES-*.txt "$folder/README.md" "$stage/usr/share/doc/asp-solver/"
gzip -9 -n <"$folder/CHANGELOG.md" >"$stage/usr/share/doc/asp-solver/changelog.gz"
# A hyphen would be Debian's own revision; what comes before a release sorts before it.
cat >"$stage/DEBIAN/control" <<END
Package: asp-solver
Version: ${version/-/\~}
Architecture: $machine
Maintainer: The maintainers of asp <maintainer@mail.invalid>
Installed-Size: $(du -sk "$stage/usr" | cut -f 1)
Section: math
Priority: optional
Homepage: $(sed -n 's/^homepage = "\(.*\)"$/\1/p' "$(dirname "$0")/../Cargo.toml" | head -1)
Description: answer set programming with reasons
 Solves logic puzzles and search problems that are written as rules in
 clingo's language, and explains the answers.
END
find "$stage/usr" -type f ! -path '*/bin/*' -exec chmod 644 {} +
# The same files make the same package.
find "$stage" -exec touch -d @0 {} +
# GitHub takes no tilde in names of files.
package="asp-solver_${version}_$machine.deb"
SOURCE_DATE_EPOCH=0 dpkg-deb --root-owner-group -Zxz --build "$stage" "$3/$package" >/dev/null
(cd "$3" && sha256sum "$package" | tee "$package.sha256")
