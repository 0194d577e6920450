//! A process of this program in a folder of its own, for untrusted texts: from the page and agents.
//!
//! Invariants: the process reads no file outside its folder, the working folder and those of `ASP_PATH`; scripts do not run
//! unless permitted; the process and its folder end with their owner.

use std::io;
use std::path::{Component, Path, PathBuf};
use std::process::{Child, Command};
use std::sync::atomic::{AtomicU64, Ordering};
use std::{env, fs};

use asp_options::disk;

/// Whether a path stays in its folder.
pub fn stays(path: &str) -> bool {
    let bad = |c: Component<'_>| !matches!(c, Component::Normal(_) | Component::CurDir);
    !path.is_empty() && !path.contains(['\\', '\0']) && !Path::new(path).components().any(bad)
}

/// Makes folders that nobody else may enter.
#[cfg(unix)]
fn own_folder() -> fs::DirBuilder {
    let mut builder = fs::DirBuilder::new();
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

/// Makes folders; those for temporary files are the user's own here.
#[cfg(not(unix))]
fn own_folder() -> fs::DirBuilder {
    fs::DirBuilder::new()
}

/// A folder that is gone with its owner.
pub struct Folder(PathBuf);

impl Folder {
    /// A new one, which nobody else may enter, with files whose names stay in it.
    pub fn new<'a>(files: impl Iterator<Item = (&'a String, &'a String)>) -> io::Result<Self> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let folder = loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let path = env::temp_dir().join(format!("asp-{}-{number}", std::process::id()));
            match own_folder().create(&path) {
                Ok(()) => break Self(path),
                Err(why) if why.kind() == io::ErrorKind::AlreadyExists => {}
                Err(why) => {
                    return Err(io::Error::new(why.kind(), format!("{}: {why}", path.display())));
                }
            }
        };
        for (name, text) in files {
            let path = folder.0.join(name);
            fs::create_dir_all(path.parent().unwrap_or(&folder.0))?;
            fs::write(path, text)?;
        }
        Ok(folder)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// This program with arguments, in the folder; `scripts_off` replaces the interpreters of scripts, if they do not run.
    pub fn command(&self, args: &[String], scripts_off: Option<&str>) -> io::Result<Command> {
        let here = env::current_dir()?;
        let others = env::var_os("ASP_PATH").unwrap_or_default();
        let path =
            env::join_paths(std::iter::once(here).chain(env::split_paths(&others))).unwrap_or_default();
        let mut command = Command::new(env::current_exe()?);
        command
            .args(args)
            .current_dir(&self.0)
            .env("ASP_PATH", &path)
            .env(disk::FOLDERS, path)
            .env("NO_COLOR", "1");
        if let Some(why) = scripts_off {
            command.env("ASP_PYTHON", why).env("ASP_LUA", why);
        }
        Ok(command)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // If it cannot be removed, it is left to the system.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A process that ends with its owner.
pub struct Owned(pub Child);

impl Drop for Owned {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
