//! What a caller wants taken out of a text, and the name of the tier that this amounts to.
//!
//! Knows no languages: a tier says what was asked, not what a file allowed.

/// What to take out of a text. Wishes of a profile and of a request are united, never subtracted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Collapse the bodies of functions and methods.
    pub bodies: bool,
    /// Remove comments.
    pub comments: bool,
    /// Remove blank lines.
    pub blank_lines: bool,
}

impl Wanted {
    /// Nothing is taken out.
    pub const fn none() -> Wanted {
        Wanted { bodies: false, comments: false, blank_lines: false }
    }

    /// Whether nothing is taken out.
    pub const fn is_none(self) -> bool {
        !self.bodies && !self.comments && !self.blank_lines
    }

    /// Everything that either side wants: detail only ever goes down.
    #[must_use]
    pub const fn union(self, other: Wanted) -> Wanted {
        Wanted {
            bodies: self.bodies || other.bodies,
            comments: self.comments || other.comments,
            blank_lines: self.blank_lines || other.blank_lines,
        }
    }

    /// The tier that is reported for these wishes.
    pub const fn tier(self) -> Tier {
        if self.bodies {
            Tier::Signatures
        } else if self.comments || self.blank_lines {
            Tier::Compact
        } else {
            Tier::Full
        }
    }
}

/// The contract's detail levels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// Nothing is taken out.
    #[default]
    Full,
    /// Comments and blank lines are taken out.
    Compact,
    /// Bodies too.
    Signatures,
}

impl Tier {
    /// Every tier, from the most detail to the least.
    pub const ALL: [Tier; 3] = [Tier::Full, Tier::Compact, Tier::Signatures];

    /// The word of the contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Tier::Full => "full",
            Tier::Compact => "compact",
            Tier::Signatures => "signatures",
        }
    }

    /// What a request for this tier wants taken out.
    pub const fn wanted(self) -> Wanted {
        match self {
            Tier::Full => Wanted::none(),
            Tier::Compact => Wanted { bodies: false, comments: true, blank_lines: true },
            Tier::Signatures => Wanted { bodies: true, comments: true, blank_lines: true },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tier_wants_what_reports_the_same_tier() {
        for tier in Tier::ALL {
            assert_eq!(tier.wanted().tier(), tier);
        }
    }

    #[test]
    fn any_body_collapse_is_signatures_and_any_stripping_is_compact() {
        let bodies = Wanted { bodies: true, ..Wanted::none() };
        let comments = Wanted { comments: true, ..Wanted::none() };
        let blank_lines = Wanted { blank_lines: true, ..Wanted::none() };
        assert_eq!(bodies.tier(), Tier::Signatures);
        assert_eq!(comments.tier(), Tier::Compact);
        assert_eq!(blank_lines.tier(), Tier::Compact);
        assert_eq!(comments.union(bodies).tier(), Tier::Signatures);
        assert_eq!(Wanted::none().tier(), Tier::Full);
    }

    #[test]
    fn a_union_never_restores_what_one_side_takes_out() {
        let profile = Wanted { bodies: true, comments: false, blank_lines: false };
        assert_eq!(
            profile.union(Tier::Compact.wanted()),
            Wanted { bodies: true, comments: true, blank_lines: true }
        );
        assert_eq!(profile.union(Tier::Full.wanted()), profile);
        assert!(Wanted::none().union(Wanted::none()).is_none());
        assert!(!profile.is_none());
    }
}
