//! Access control: only requests from the page itself, in a browser on this machine, are answered.
//!
//! A page of another site can send requests here, and with a name that it has pointed at this machine even read the answers
//! (DNS rebinding). Invariant: the headers `Host` and `Origin` name this server, whatever is asked.

use std::fmt::Write as _;

use super::http::Head;

/// The names under which the server may be asked, and the secret of its link.
pub(super) struct Guard {
    hosts: [String; 2],
    token: String,
}

impl Guard {
    /// For a server at a port, with a new token.
    pub(super) fn new(port: u16) -> Result<Self, String> {
        let mut bytes = [0u8; 16];
        getrandom::fill(&mut bytes)
            .map_err(|why| format!("there are no random numbers for the link: {why}"))?;
        let token = bytes.iter().fold(String::new(), |mut text, byte| {
            // Writing to a string cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        });
        Ok(Self { hosts: [format!("127.0.0.1:{port}"), format!("localhost:{port}")], token })
    }

    pub(super) fn token(&self) -> &str {
        &self.token
    }

    /// Whether this is the token; how long that takes tells nothing about it.
    pub(super) fn is_token(&self, given: &str) -> bool {
        let differ = self.token.bytes().zip(given.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
        given.len() == self.token.len() && differ == 0
    }

    /// Whether a request with this head is permitted; the error says why not.
    pub(super) fn admits(&self, head: &Head) -> Result<(), String> {
        self.admits_from(head.header("host"), head.header("origin"), head.header("sec-fetch-site"))
    }

    fn admits_from(
        &self,
        host: Option<&str>,
        origin: Option<&str>,
        site: Option<&str>,
    ) -> Result<(), String> {
        let is_own = |name: &str| self.hosts.iter().any(|host| host.eq_ignore_ascii_case(name));
        if !host.is_some_and(is_own) {
            return Err("this server is not known under that name".into());
        }
        let from_here = |origin: &str| origin.strip_prefix("http://").is_some_and(is_own);
        if origin.is_some_and(|origin| !from_here(origin)) || matches!(site, Some("cross-site" | "same-site"))
        {
            return Err("this is for the page of this server only".into());
        }
        Ok(())
    }

    /// Whether a request with this head has the token.
    pub(super) fn knows_token(&self, head: &Head) -> bool {
        head.header("x-asp-token").is_some_and(|token| self.is_token(token))
    }
}

/// Whether a name is that of a file, without folders.
pub(super) fn is_plain(name: &str) -> bool {
    let bad = |c: char| c.is_control() || matches!(c, '/' | '\\' | ':');
    !name.is_empty() && name.len() <= 200 && !name.starts_with('.') && !name.contains(bad)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_its_own_page_is_answered() {
        let guard = Guard::new(8017).unwrap();
        let own = Some("127.0.0.1:8017");
        assert!(guard.admits_from(own, None, None).is_ok());
        assert!(
            guard
                .admits_from(Some("localhost:8017"), Some("http://localhost:8017"), Some("same-origin"))
                .is_ok()
        );
        assert!(guard.admits_from(own, None, Some("none")).is_ok());
        for (host, origin, site) in [
            (None, None, None),
            (Some("evil.example:8017"), None, None),
            (Some("127.0.0.1"), None, None),
            (own, Some("http://evil.example"), None),
            (own, Some("null"), None),
            (own, Some("https://127.0.0.1:8017"), None),
            (own, None, Some("cross-site")),
        ] {
            assert!(guard.admits_from(host, origin, site).is_err(), "{host:?} {origin:?} {site:?}");
        }
    }

    #[test]
    fn the_token_is_new_each_time_and_all_of_it_counts() {
        let (a, b) = (Guard::new(1).unwrap(), Guard::new(1).unwrap());
        assert!(a.is_token(a.token()) && !a.is_token(b.token()));
        assert!(!a.is_token("") && !a.is_token(&a.token()[1..]) && !a.is_token(&format!("{}0", a.token())));
    }

    #[test]
    fn names_have_no_folders() {
        assert!(is_plain("my puzzle.lp") && is_plain("größe.lp"));
        for name in ["", "..", ".bashrc", "a/b", "/a", "a\\b", "c:a", "a\n"] {
            assert!(!is_plain(name), "{name:?}");
        }
    }
}
