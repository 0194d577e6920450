//! A page with the pictures of a run: one file, no scripts, light or dark like the reader's system.
//!
//! Invariant: every text is escaped; the page is complete whenever it is written.

use super::svg::element::{Drawing, escape};
use super::svg::{STYLE, element};

const PAGE: &str = "\
:root{color-scheme:light dark;--ink:#1d2126;--soft:#59616b;--page:#f4f5f7;--card:#ffffff;--line:#d9dce0}\
@media(prefers-color-scheme:dark){:root{--ink:#e8eaed;--soft:#a8b0ba;--page:#101215;--card:#16181c;--line:#33383f}}\
body{margin:0;padding:2rem 1.5rem;background:var(--page);color:var(--ink);\
font:16px/1.5 'DejaVu Sans','Segoe UI',Helvetica,Arial,sans-serif}\
h1{font-size:1.25rem;margin:0 0 .25rem}header p{margin:0 0 1.5rem;color:var(--soft)}\
main{display:flex;flex-wrap:wrap;gap:1.25rem;align-items:flex-start}\
figure{margin:0;padding:.75rem 1rem 1rem;background:var(--card);border:1px solid var(--line);border-radius:10px;\
max-width:100%;box-sizing:border-box}\
figcaption{font-size:.9rem;color:var(--soft);margin-bottom:.25rem}\
.steps .step{display:none}.steps label{font-size:.8rem;color:var(--soft);margin-right:.5rem}\
figure svg{display:block;max-width:100%;height:auto}\
details{margin-top:.5rem;font-size:.8rem;color:var(--soft);max-width:32rem}\
details p{margin:.25rem 0 0;overflow-wrap:anywhere;font-family:'DejaVu Sans Mono',Consolas,monospace}\
@media print{body{background:#fff;padding:0}figure{break-inside:avoid}}";

/// A picture on the page.
#[derive(Clone, PartialEq, Debug)]
pub struct Figure {
    /// The text above the picture.
    pub caption: String,
    /// The picture, if there is one.
    pub drawing: Option<Drawing>,
    /// Pictures of its steps, if it is a plan.
    pub steps: Vec<(i64, Drawing)>,
    /// The atoms that it shows.
    pub atoms: String,
}

/// The pictures of steps, of which one is seen: a row of numbers chooses it, without a script. `number` tells figures apart.
fn slider(number: usize, steps: &[(i64, Drawing)], about: &str) -> String {
    let mut out = String::from("<div class=\"steps\">\n");
    for (at, (step, _)) in steps.iter().enumerate() {
        let checked = if at == 0 { " checked" } else { "" };
        out.push_str(&format!(
            "<input type=\"radio\" name=\"plan{number}\" id=\"plan{number}-{at}\"{checked}>\
             <label for=\"plan{number}-{at}\">{step}</label>\n"
        ));
    }
    out.push_str("<style>");
    for at in 0..steps.len() {
        out.push_str(&format!("#plan{number}-{at}:checked~.step{at}{{display:block}}"));
    }
    out.push_str("</style>\n");
    for (at, (step, drawing)) in steps.iter().enumerate() {
        let drawn = element(drawing, &format!("{about}, step {step}"));
        out.push_str(&format!("<div class=\"step step{at}\">\n{drawn}</div>\n"));
    }
    out.push_str("</div>\n");
    out
}

/// A side of a sheet of paper: a caption, and a picture or lines of text.
pub struct Side {
    /// The text above.
    pub caption: String,
    pub drawing: Option<Drawing>,
    /// The text in place of a picture.
    pub text: String,
}

const SHEETS: &str = "\
main{display:block}section{margin:0 auto 1.25rem;padding:1.5rem;max-width:46rem;background:var(--card);border:1px solid var(--line);\
border-radius:10px}section h2{font-size:1rem;margin:0 0 1rem;color:var(--soft);font-weight:400}\
section svg{display:block;width:100%;max-width:36rem;height:auto;margin:0 auto}\
section pre{white-space:pre-wrap;font:13px/1.6 'DejaVu Sans Mono',Consolas,monospace}\
@media print{header{display:none}section{break-after:page;border:0;padding:0;max-width:none}section:last-child{break-after:auto}}";

/// A page to print on both sides of the paper: each side on a page of its own.
pub fn sheets(title: &str, about: &str, sides: &[Side]) -> String {
    let mut out = head(title, about, SHEETS);
    for side in sides {
        out.push_str(&format!("<section>\n<h2>{}</h2>\n", escape(&side.caption)));
        match &side.drawing {
            Some(drawing) => out.push_str(&element(drawing, &side.caption)),
            None => out.push_str(&format!("<pre>{}</pre>\n", escape(&side.text))),
        }
        out.push_str("</section>\n");
    }
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

/// The page up to its pictures.
fn head(title: &str, about: &str, style: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>{PAGE}{style}\n{STYLE}</style>\n</head>\n<body>\n<header>\n<h1>{title}</h1>\n<p>{about}</p>\n\
         </header>\n<main>\n",
        title = escape(title),
        about = escape(about)
    )
}

/// The page: a title, a line below it, the pictures.
pub fn page(title: &str, about: &str, figures: &[Figure]) -> String {
    let mut out = head(title, about, "");
    for (number, figure) in figures.iter().enumerate() {
        out.push_str("<figure>\n");
        if !figure.caption.is_empty() {
            out.push_str(&format!("<figcaption>{}</figcaption>\n", escape(&figure.caption)));
        }
        let open = match &figure.drawing {
            _ if figure.steps.len() > 1 => {
                out.push_str(&slider(number, &figure.steps, &figure.caption));
                ""
            }
            Some(drawing) => {
                out.push_str(&element(drawing, &figure.caption));
                ""
            }
            None => " open",
        };
        if !figure.atoms.is_empty() {
            let atoms = escape(&figure.atoms);
            out.push_str(&format!("<details{open}><summary>atoms</summary><p>{atoms}</p></details>\n"));
        }
        out.push_str("</figure>\n");
    }
    out.push_str("</main>\n</body>\n</html>\n");
    out
}
