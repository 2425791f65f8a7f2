//! Numbers as they are written in a result.

/// A number for people: `2,310`. Arguments that the model is to copy stay plain.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 line`, `2,310 lines`.
pub(super) fn counted(number: u64, one: &str, more: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { more })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        let numbers = [0, 7, 999, 1_000, 65_536, 104_857_600];
        assert_eq!(numbers.map(grouped), ["0", "7", "999", "1,000", "65,536", "104,857,600"]);
        assert_eq!(counted(1, "match", "matches"), "1 match");
        assert_eq!(counted(0, "match", "matches"), "0 matches");
    }
}
