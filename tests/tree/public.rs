//! What others may use: the public items of `asp`, and of the crates on which its packages for other languages stand, as
//! `tests/golden/api` records them. What changes there changes for users.
//!
//! The sources are read, not the compiler's output, so that any toolchain will do: re-exports are followed to the items that
//! they name, and each item is written as it is declared, with its public fields, methods and the traits that it implements by
//! name. Items that a macro makes are named only.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use quote::ToTokens;
use syn::{Attribute, Fields, ImplItem, Item, TraitItem, Type, UseTree, Visibility};

use crate::support::update;

/// Packages that others build on, with the folders of their sources.
const PUBLIC: [(&str, &str); 5] = [
    ("asp", "src"),
    ("asp-lua", "bindings/lua/src"),
    ("asp-options", "crates/options/src"),
    ("asp-questions", "crates/questions/src"),
    ("asp-run", "crates/run/src"),
];

/// A module: its items and those below it.
#[derive(Default)]
struct Module {
    /// Crate and modules down to it.
    path: Vec<String>,
    items: Vec<Item>,
    children: BTreeMap<String, Module>,
}

/// What a path leads to.
#[derive(Clone, Copy)]
enum Found<'a> {
    Module(&'a Module),
    Item(&'a Item, &'a Module),
}

/// All crates, by the name that paths have for them.
struct Crates(BTreeMap<String, Module>);

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Whether an attribute says so: `doc(hidden)`, `cfg(test)`.
fn says(attributes: &[Attribute], what: &str) -> bool {
    attributes.iter().any(|a| a.meta.to_token_stream().to_string().replace(' ', "") == what)
}

fn is_public(visibility: &Visibility, attributes: &[Attribute]) -> bool {
    matches!(visibility, Visibility::Public(_)) && !says(attributes, "doc(hidden)")
}

/// The text of what was parsed, with blanks as people write them.
fn text(tokens: impl ToTokens) -> String {
    let mut text = tokens.to_token_stream().to_string();
    for (from, to) in [
        (" :: ", "::"),
        (":: ", "::"),
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
        (" [", "["),
        ("[ ", "["),
        (" ]", "]"),
        (" <", "<"),
        ("< ", "<"),
        (" >", ">"),
        (" ,", ","),
        (",)", ")"),
        (" :", ":"),
        ("& ", "&"),
        ("=(", "= ("),
        ("a[", "a ["),
        ("{", " {"),
        (" ;", ";"),
        (" ? ", " ?"),
        ("->", " -> "),
        ("  ", " "),
    ] {
        text = text.replace(from, to);
    }
    text
}

impl Module {
    fn read(path: Vec<String>, file: &Path, folder: &Path) -> Self {
        let source = fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let parsed = syn::parse_file(&source).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        Self::of(path, parsed.items, folder)
    }

    fn of(path: Vec<String>, items: Vec<Item>, folder: &Path) -> Self {
        let mut module = Self { path, ..Self::default() };
        for mut item in items {
            if let Item::Mod(inner) = &mut item
                && !says(&inner.attrs, "cfg(test)")
            {
                let name = inner.ident.to_string();
                let path = [module.path.clone(), vec![name.clone()]].concat();
                let below = folder.join(&name);
                let files = [folder.join(format!("{name}.rs")), below.join("mod.rs")];
                let child = match (inner.content.take(), files.iter().find(|file| file.exists())) {
                    (Some((_, items)), _) => Some(Self::of(path, items, &below)),
                    (None, Some(file)) => Some(Self::read(path, file, &below)),
                    // Generated.
                    (None, None) => None,
                };
                module.children.extend(child.map(|child| (name, child)));
            }
            module.items.push(item);
        }
        module
    }

    fn item(&self, name: &str) -> Option<&Item> {
        self.items.iter().find(|item| name_of(item).is_some_and(|own| own == name))
    }

    /// What `use` brings in: name here and path, `*` for all of a module.
    fn uses(&self) -> impl Iterator<Item = (String, Vec<String>, bool)> + '_ {
        self.items.iter().flat_map(|item| {
            let mut leaves = Vec::new();
            if let Item::Use(item) = item {
                flatten(&item.tree, &mut Vec::new(), &mut leaves);
                let public = is_public(&item.vis, &item.attrs);
                return leaves.into_iter().map(|(name, path)| (name, path, public)).collect();
            }
            Vec::new()
        })
    }

    fn each<'a>(&'a self, see: &mut impl FnMut(&'a Module)) {
        see(self);
        self.children.values().for_each(|child| child.each(see));
    }
}

fn flatten(tree: &UseTree, path: &mut Vec<String>, leaves: &mut Vec<(String, Vec<String>)>) {
    let whole = |path: &[String], name: &str| match name {
        "self" => path.to_vec(),
        name => [path, &[name.to_string()]].concat(),
    };
    match tree {
        UseTree::Path(inner) => {
            path.push(inner.ident.to_string());
            flatten(&inner.tree, path, leaves);
            path.pop();
        }
        UseTree::Name(name) => {
            let whole = whole(path, &name.ident.to_string());
            leaves.push((whole.last().cloned().unwrap_or_default(), whole));
        }
        UseTree::Rename(name) => leaves.push((name.rename.to_string(), whole(path, &name.ident.to_string()))),
        UseTree::Glob(_) => leaves.push(("*".into(), path.clone())),
        UseTree::Group(group) => group.items.iter().for_each(|tree| flatten(tree, path, leaves)),
    }
}

fn name_of(item: &Item) -> Option<String> {
    Some(match item {
        Item::Const(i) => i.ident.to_string(),
        Item::Enum(i) => i.ident.to_string(),
        Item::Fn(i) => i.sig.ident.to_string(),
        Item::Static(i) => i.ident.to_string(),
        Item::Struct(i) => i.ident.to_string(),
        Item::Trait(i) => i.ident.to_string(),
        Item::Type(i) => i.ident.to_string(),
        _ => return None,
    })
}

fn is_public_item(item: &Item) -> bool {
    match item {
        Item::Const(i) => is_public(&i.vis, &i.attrs),
        Item::Enum(i) => is_public(&i.vis, &i.attrs),
        Item::Fn(i) => is_public(&i.vis, &i.attrs),
        Item::Static(i) => is_public(&i.vis, &i.attrs),
        Item::Struct(i) => is_public(&i.vis, &i.attrs),
        Item::Trait(i) => is_public(&i.vis, &i.attrs),
        Item::Type(i) => is_public(&i.vis, &i.attrs),
        _ => false,
    }
}

impl Crates {
    fn read() -> Self {
        let mut folders: Vec<(String, PathBuf)> =
            vec![("asp".into(), root().join("src")), ("asp_lua".into(), root().join("bindings/lua/src"))];
        for entry in fs::read_dir(root().join("crates")).expect("the crates") {
            let entry = entry.expect("a folder");
            let name = format!("asp_{}", entry.file_name().to_string_lossy());
            folders.push((name, entry.path().join("src")));
        }
        let read = |(name, folder): (String, PathBuf)| {
            let module = Module::read(vec![name.clone()], &folder.join("lib.rs"), &folder);
            (name, module)
        };
        Self(folders.into_iter().map(read).collect())
    }

    fn module(&self, path: &[String]) -> Option<&Module> {
        let (first, rest) = path.split_first()?;
        rest.iter().try_fold(self.0.get(first)?, |module, name| module.children.get(name))
    }

    /// What a path in a module leads to; `depth` ends circles of globs.
    fn find<'a>(&'a self, module: &'a Module, path: &[String], depth: usize) -> Option<Found<'a>> {
        let (first, rest) = path.split_first()?;
        let start = match first.as_str() {
            "self" => Found::Module(module),
            "crate" => Found::Module(self.module(&module.path[..1])?),
            "super" => Found::Module(self.module(&module.path[..module.path.len() - 1])?),
            name => match self.named(module, name, depth) {
                Some(found) => found,
                None => Found::Module(self.0.get(name)?),
            },
        };
        match (start, rest) {
            (found, []) => Some(found),
            (Found::Module(below), rest) => self.find_below(below, rest, depth),
            (Found::Item(..), _) => None,
        }
    }

    fn find_below<'a>(&'a self, module: &'a Module, path: &[String], depth: usize) -> Option<Found<'a>> {
        let (first, rest) = path.split_first()?;
        let found = match first.as_str() {
            "super" => Found::Module(self.module(&module.path[..module.path.len() - 1])?),
            name => self.named(module, name, depth)?,
        };
        match (found, rest) {
            (found, []) => Some(found),
            (Found::Module(below), rest) => self.find_below(below, rest, depth),
            (Found::Item(..), _) => None,
        }
    }

    fn named<'a>(&'a self, module: &'a Module, name: &str, depth: usize) -> Option<Found<'a>> {
        if let Some(child) = module.children.get(name) {
            return Some(Found::Module(child));
        }
        if let Some(item) = module.item(name) {
            return Some(Found::Item(item, module));
        }
        if depth == 0 {
            return None;
        }
        let follow = |path: &[String]| {
            // `use name::Item` does not lead to itself.
            if path.first().is_some_and(|first| first == name) && path.len() > 1 {
                return self.find_below(self.0.get(&path[0])?, &path[1..], depth - 1);
            }
            self.find(module, path, depth - 1)
        };
        for (own, path, _) in module.uses() {
            if own == name {
                return follow(&path);
            }
            if own == "*"
                && let Some(Found::Module(all)) = self.find(module, &path, depth - 1)
                && let Some(found) = self.named(all, name, depth - 1)
            {
                return Some(found);
            }
        }
        None
    }
}

/// Writes the public items of a crate.
struct Writer<'a> {
    crates: &'a Crates,
    /// Where what was written stands, by its address.
    seen: BTreeMap<usize, String>,
    out: Vec<String>,
}

impl<'a> Writer<'a> {
    fn module(&mut self, prefix: &str, module: &'a Module) {
        for item in &module.items {
            match item {
                Item::Mod(inner) if is_public(&inner.vis, &inner.attrs) => {
                    if let Some(child) = module.children.get(&inner.ident.to_string()) {
                        self.module(&format!("{prefix}::{}", inner.ident), child);
                    }
                }
                item if is_public_item(item) => {
                    let name = name_of(item).unwrap_or_default();
                    self.item(&format!("{prefix}::{name}"), item, module);
                }
                _ => {}
            }
        }
        for (name, path, public) in module.uses() {
            if !public {
                continue;
            }
            let at = if name == "*" { prefix.to_string() } else { format!("{prefix}::{name}") };
            match self.crates.find(module, &path, 8) {
                Some(Found::Module(found)) => self.module(&at, found),
                Some(Found::Item(item, home)) => self.item(&at, item, home),
                None => self.out.push(format!("{at}: {}", path.join("::"))),
            }
        }
    }

    fn item(&mut self, at: &str, item: &'a Item, home: &'a Module) {
        let address = std::ptr::from_ref(item) as usize;
        if let Some(first) = self.seen.get(&address) {
            self.out.push(format!("{at} = {first}"));
            return;
        }
        self.seen.insert(address, at.to_string());
        match item {
            Item::Const(i) => self.out.push(format!("{at}: const {}", text(&i.ty))),
            Item::Static(i) => self.out.push(format!("{at}: static {}", text(&i.ty))),
            Item::Fn(i) => self.out.push(format!("{at}: {}", text(&i.sig))),
            Item::Type(i) => self.out.push(format!("{at}: type {}", text(&i.ty))),
            Item::Struct(i) => {
                self.out.push(format!("{at}: struct{}{}", text(&i.generics), derived(&i.attrs)));
                self.fields(at, &i.fields);
            }
            Item::Enum(i) => {
                self.out.push(format!("{at}: enum{}{}", text(&i.generics), derived(&i.attrs)));
                for variant in &i.variants {
                    self.out.push(format!("{at}::{}{}", variant.ident, text(&variant.fields)));
                }
            }
            Item::Trait(i) => {
                self.out.push(format!("{at}: trait{}: {}", text(&i.generics), text(&i.supertraits)));
                for inner in &i.items {
                    if let TraitItem::Fn(f) = inner {
                        let default = if f.default.is_some() { " { .. }" } else { "" };
                        self.out.push(format!("{at}::{}{default}", text(&f.sig)));
                    }
                }
            }
            _ => {}
        }
        self.impls(at, item, home);
    }

    fn fields(&mut self, at: &str, fields: &Fields) {
        for (number, field) in fields.iter().enumerate() {
            if is_public(&field.vis, &field.attrs) {
                let name = field.ident.as_ref().map_or(number.to_string(), ToString::to_string);
                self.out.push(format!("{at}.{name}: {}", text(&field.ty)));
            }
        }
    }

    /// Methods and traits of a type, which its own crate states.
    fn impls(&mut self, at: &str, item: &'a Item, home: &'a Module) {
        let Some(name) = name_of(item) else { return };
        let mut lines = Vec::new();
        let crates = self.crates;
        let Some(top) = crates.0.get(&home.path[0]) else { return };
        top.each(&mut |module| {
            for inner in &module.items {
                let Item::Impl(found) = inner else { continue };
                let Type::Path(of) = found.self_ty.as_ref() else { continue };
                let Some(own) = of.path.segments.last() else { continue };
                let path: Vec<String> = of.path.segments.iter().map(|s| s.ident.to_string()).collect();
                let is_same = |found| matches!(found, Found::Item(other, _) if std::ptr::eq(other, item));
                if says(&found.attrs, "cfg(test)") || !crates.find(module, &path, 8).is_some_and(is_same) {
                    continue;
                }
                if let Some((_, of, _)) = &found.trait_ {
                    lines.push(format!("impl {} for {name}{}", text(of), text(&own.arguments)));
                    continue;
                }
                for part in &found.items {
                    match part {
                        ImplItem::Fn(f) if is_public(&f.vis, &f.attrs) => {
                            lines.push(format!("{at}::{}", text(&f.sig)));
                        }
                        ImplItem::Const(c) if is_public(&c.vis, &c.attrs) => {
                            lines.push(format!("{at}::{}: const {}", c.ident, text(&c.ty)));
                        }
                        _ => {}
                    }
                }
            }
        });
        lines.sort();
        lines.dedup();
        self.out.extend(lines);
    }
}

/// The traits that are derived.
fn derived(attributes: &[Attribute]) -> String {
    let mut traits: Vec<String> = Vec::new();
    for attribute in attributes.iter().filter(|a| a.path().is_ident("derive")) {
        if let syn::Meta::List(list) = &attribute.meta {
            traits.extend(list.tokens.to_string().split(',').map(|name| name.trim().to_string()));
        }
    }
    traits.retain(|name| !name.is_empty());
    traits.sort();
    if traits.is_empty() { String::new() } else { format!(" ({})", traits.join(", ")) }
}

/// The public items of a package, a line each.
fn listed(crates: &Crates, package: &str) -> String {
    let name = package.replace('-', "_");
    let mut writer = Writer { crates, seen: BTreeMap::new(), out: Vec::new() };
    writer.module(&name, &crates.0[&name]);
    let mut text = String::new();
    for line in without_docs(writer.out) {
        let _ = writeln!(text, "{line}");
    }
    text
}

/// Fields of variants have documentation, which says nothing of how they are used.
fn without_docs(lines: Vec<String>) -> Vec<String> {
    let without = |mut line: String| {
        while let Some(from) = line.find("# [doc").or_else(|| line.find("#[doc")) {
            let Some(end) = line[from..].find("\"]") else { break };
            line.replace_range(from..from + end + 2, "");
        }
        line.replace("  ", " ")
    };
    lines.into_iter().map(without).collect()
}

#[test]
fn what_others_may_use_is_recorded() {
    let crates = Crates::read();
    for (package, folder) in PUBLIC {
        assert!(root().join(folder).is_dir(), "{folder}");
        let found = listed(&crates, package);
        let path = root().join("tests/golden/api").join(format!("{package}.txt"));
        if update::is_wanted() {
            update::write(&path, &found);
            continue;
        }
        let recorded = fs::read_to_string(&path).unwrap_or_default();
        let old: Vec<&str> = recorded.lines().collect();
        let new: Vec<&str> = found.lines().collect();
        let gone: Vec<&&str> = old.iter().filter(|line| !new.contains(line)).collect();
        let added: Vec<&&str> = new.iter().filter(|line| !old.contains(line)).collect();
        assert!(
            recorded == found,
            "{package}: gone: {gone:#?}\nadded: {added:#?}\nIf this is meant, ASP_UPDATE=1 cargo test --test tree records it."
        );
    }
}
