//! Texts that include each other: on the disk, open, gone, in circles, of the same name.

use std::fs;

use super::*;
use asp_syntax::FileLoader;

/// A folder with files, and a project that knows of it.
struct Desk {
    folder: tempfile::TempDir,
    project: Project<FileLoader>,
}

impl Desk {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let desk = Self { folder, project: Project::new(FileLoader) };
        files.iter().for_each(|(name, text)| desk.write(name, text));
        desk
    }
    fn key(&self, name: &str) -> String {
        key(&self.folder.path().join(name).to_string_lossy())
    }
    fn write(&self, name: &str, text: &str) {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("it is made");
        fs::write(path, text).expect("it is written");
    }
    fn open(&mut self, name: &str, text: &str) {
        self.project.set(self.key(name), text.into());
    }
    /// Keys below the folder.
    fn short(&self, keys: impl IntoIterator<Item = String>) -> String {
        let folder = format!("{}/", key(&self.folder.path().to_string_lossy()));
        let names = keys.into_iter().map(|k| k.strip_prefix(&folder).unwrap_or(&k).to_string());
        names.collect::<Vec<_>>().join(" ")
    }
    fn program(&self, root: &str) -> String {
        self.short(self.project.program(&self.key(root)).into_iter().map(|e| e.key))
    }
    fn group(&self, name: &str) -> String {
        self.short(self.project.group(&self.key(name)).into_iter().map(|e| e.key))
    }
    fn roots(&self) -> String {
        self.short(self.project.roots())
    }
    fn roots_of(&self, name: &str) -> String {
        self.short(self.project.roots_of(&self.key(name)))
    }
    /// The predicates of a text's program, with the files that name them.
    fn predicates(&self, root: &str) -> String {
        let program = self.project.program(&self.key(root));
        let told = predicates(&program).into_iter().map(|(predicate, names)| {
            let files: BTreeSet<String> = names.iter().map(|(i, _)| program[*i].key.clone()).collect();
            format!("{}/{}: {}", predicate.name, predicate.arity, self.short(files))
        });
        told.collect::<Vec<_>>().join("; ")
    }
}

#[test]
fn a_program_is_a_text_and_what_it_includes() {
    let mut desk = Desk::new(&[
        ("a.lp", "#include \"b.lp\". #include \"sub/c.lp\". a :- b."),
        ("b.lp", "#include \"d.lp\". b :- d."),
        ("sub/c.lp", "#include \"../d.lp\". c :- d."),
        ("d.lp", "% What all need.\nd."),
        ("other.lp", "e."),
    ]);
    desk.open("a.lp", "#include \"b.lp\". #include \"sub/c.lp\". a :- b.");
    // Each once, in the order of the includes.
    assert_eq!(desk.program("a.lp"), "a.lp b.lp d.lp sub/c.lp");
    assert_eq!(desk.predicates("a.lp"), "a/0: a.lp; b/0: a.lp b.lp; c/0: sub/c.lp; d/0: b.lp d.lp sub/c.lp");
    assert_eq!((desk.roots().as_str(), desk.roots_of("d.lp").as_str()), ("a.lp", "a.lp"));
    let (signature, doc) = described(&desk.project.group(&desk.key("b.lp")), "d", 0).expect("d is defined");
    assert_eq!((signature.as_str(), doc.as_deref()), ("d", Some("What all need.")));
    // Whoever asks about a file that is not open is told of the programs that have it.
    assert_eq!(desk.group("d.lp"), "a.lp b.lp d.lp sub/c.lp");
    assert_eq!((desk.roots_of("other.lp").as_str(), desk.group("other.lp").as_str()), ("", "other.lp"));
}

#[test]
fn what_is_open_is_read_in_place_of_the_file() {
    let mut desk = Desk::new(&[("a.lp", "#include \"b.lp\"."), ("b.lp", "old.")]);
    desk.open("a.lp", "#include \"b.lp\". #include \"new.lp\".");
    assert_eq!(desk.predicates("a.lp"), "old/0: b.lp");
    desk.open("b.lp", "#include \"c.lp\". fresh.");
    assert_eq!(desk.predicates("a.lp"), "fresh/0: b.lp");
    assert_eq!(desk.roots(), "a.lp");
    // A text that no file holds yet is there once it is open.
    desk.open("new.lp", "brand(new).");
    assert_eq!(desk.predicates("a.lp"), "brand/1: new.lp; fresh/0: b.lp");
    assert_eq!(desk.group("new.lp"), "a.lp b.lp new.lp");
    // Closed, the file counts again, with what was written since.
    desk.write("b.lp", "newer.");
    desk.project.close(&desk.key("b.lp"));
    desk.project.close(&desk.key("new.lp"));
    assert_eq!(desk.predicates("a.lp"), "newer/0: b.lp");
    desk.write("b.lp", "newest(1).");
    assert_eq!(desk.predicates("a.lp"), "newest/1: b.lp");
}

#[test]
fn circles_end_and_have_one_root() {
    let mut desk = Desk::new(&[("self.lp", "#include \"self.lp\". s.")]);
    for (from, to) in [("a", "b"), ("b", "c"), ("c", "a")] {
        desk.open(&format!("{from}.lp"), &format!("#include \"{to}.lp\". {from}."));
    }
    assert_eq!(desk.program("b.lp"), "b.lp c.lp a.lp");
    assert_eq!((desk.roots().as_str(), desk.roots_of("c.lp").as_str()), ("a.lp", "a.lp"));
    desk.open("self.lp", "#include \"self.lp\". #include \"./self.lp\". s.");
    assert_eq!((desk.program("self.lp").as_str(), desk.roots().as_str()), ("self.lp", "a.lp self.lp"));
    // What includes the circle is its root; without one of its texts it is a chain.
    desk.open("z.lp", "#include \"b.lp\".");
    assert_eq!(desk.roots(), "self.lp z.lp");
    desk.project.close(&desk.key("z.lp"));
    desk.project.close(&desk.key("a.lp"));
    assert_eq!((desk.roots().as_str(), desk.group("c.lp").as_str()), ("b.lp self.lp", "b.lp c.lp"));
}

#[test]
fn files_come_and_go() {
    let mut desk = Desk::new(&[("b.lp", "#include \"c.lp\". b."), ("c.lp", "c.")]);
    desk.open("a.lp", "#include \"b.lp\". a.");
    assert_eq!(desk.program("a.lp"), "a.lp b.lp c.lp");
    fs::remove_file(desk.folder.path().join("b.lp")).expect("removed");
    assert_eq!((desk.program("a.lp").as_str(), desk.predicates("a.lp").as_str()), ("a.lp", "a/0: a.lp"));
    assert!(desk.project.index(&desk.key("b.lp")).is_none());
    // A folder of that name is no text.
    fs::create_dir(desk.folder.path().join("b.lp")).expect("made");
    assert_eq!(desk.program("a.lp"), "a.lp");
    fs::remove_dir(desk.folder.path().join("b.lp")).expect("removed");
    desk.write("b.lp", "back.");
    assert_eq!(desk.predicates("a.lp"), "a/0: a.lp; back/0: b.lp");
    // One that is too large is left out.
    desk.write("b.lp", &"x. ".repeat(MAX_TEXT / 3 + 1));
    assert_eq!(desk.program("a.lp"), "a.lp");
    // What is open stays, whatever happens to its file.
    desk.open("c.lp", "kept.");
    fs::remove_file(desk.folder.path().join("c.lp")).expect("removed");
    desk.write("b.lp", "#include \"c.lp\".");
    assert_eq!(desk.predicates("a.lp"), "a/0: a.lp; kept/0: c.lp");
}

#[test]
fn the_same_name_in_two_folders_is_two_texts() {
    let mut desk = Desk::new(&[
        ("one/main.lp", "#include \"part.lp\". p."),
        ("one/part.lp", "first."),
        ("two/main.lp", "#include \"part.lp\". p."),
        ("two/part.lp", "second."),
    ]);
    desk.open("one/main.lp", "#include \"part.lp\". p.");
    desk.open("two/main.lp", "#include \"part.lp\". p.");
    assert_eq!(desk.predicates("one/main.lp"), "first/0: one/part.lp; p/0: one/main.lp");
    assert_eq!(desk.predicates("two/main.lp"), "p/0: two/main.lp; second/0: two/part.lp");
    assert_eq!(desk.roots(), "one/main.lp two/main.lp");
    assert_eq!(desk.group("one/part.lp"), "one/main.lp one/part.lp");
    desk.open("two/part.lp", "changed.");
    assert_eq!(desk.predicates("one/main.lp"), "first/0: one/part.lp; p/0: one/main.lp");
    // Several ways lead to one text.
    desk.open("one/main.lp", "#include \"../two/part.lp\". #include \"./../two/../two/part.lp\". p.");
    assert_eq!(desk.program("one/main.lp"), "one/main.lp two/part.lp");
    assert_eq!(desk.group("two/main.lp"), "one/main.lp two/main.lp two/part.lp");
}

#[test]
fn long_chains_are_cut() {
    let mut desk = Desk::new(&[]);
    for i in 0..MAX_TEXTS + 20 {
        desk.write(&format!("{i}.lp"), &format!("#include \"{}.lp\". p({i}).", i + 1));
    }
    desk.open("0.lp", "#include \"1.lp\".");
    assert_eq!(desk.project.program(&desk.key("0.lp")).len(), MAX_TEXTS);
}
