//! The arguments of a call: described to the model and read from what it wrote by one table a tool.
//!
//! Models write `file_path` for `path`, `"400"` for `400`, and `-i` for `ignore_case`. That is understood. What is not
//! (an argument that nobody knows, one that is missing, JSON that isn't) comes back as a sentence that says what to
//! change, with an example of a right call.

use super::text::quoted;
use crate::conversation::ToolSpec;
use serde::de::DeserializeOwned;
use serde_json::{Map, Number, Value, json};

/// A tool, as it is called.
pub(super) struct Form {
    /// Its name.
    pub(super) tool: &'static str,
    /// What it does, for the model. It costs tokens on every turn.
    pub(super) description: &'static str,
    /// The arguments of a right call, as JSON.
    pub(super) example: &'static str,
    /// What it takes.
    pub(super) parameters: &'static [Parameter],
}

/// An argument that a tool takes.
pub(super) struct Parameter {
    /// Its name.
    pub(super) name: &'static str,
    /// What models call it too, in small letters, without `_` and `-`.
    pub(super) aliases: &'static [&'static str],
    /// What it must be.
    pub(super) kind: Kind,
    /// Whether a call without it is at fault.
    pub(super) required: bool,
    /// What it means, where the name doesn't say it.
    pub(super) description: &'static str,
}

/// What an argument must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Words.
    Text,
    /// A number, from 0.
    Count,
    /// Yes or no.
    Flag,
}

impl Form {
    /// The tool as it is described to the model.
    pub(super) fn spec(&self) -> ToolSpec {
        let properties: Map<String, Value> = self
            .parameters
            .iter()
            .map(|parameter| {
                let kind = parameter.kind.json_type();
                let schema = match parameter.description {
                    "" => json!({ "type": kind }),
                    description => json!({ "type": kind, "description": description }),
                };
                (parameter.name.to_owned(), schema)
            })
            .collect();
        let required: Vec<&str> =
            self.parameters.iter().filter(|parameter| parameter.required).map(|it| it.name).collect();
        ToolSpec {
            name: self.tool.to_owned(),
            description: self.description.to_owned(),
            parameters: json!({ "type": "object", "properties": properties, "required": required }),
        }
    }

    /// Reads the arguments of a call, or says what to change about them.
    pub(super) fn read<T: DeserializeOwned>(&self, arguments: &str) -> Result<T, String> {
        // In the order of their names: whether JSON keeps the order that it was written in depends on what else is built.
        let mut given: Vec<(String, Value)> = self.object(arguments)?.into_iter().collect();
        given.sort_by(|(one, _), (other, _)| one.cmp(other));
        let mut known = Map::new();
        for (written, value) in given {
            let parameter = self.parameter(&written).ok_or_else(|| self.unknown(&written))?;
            if value.is_null() || value == "" {
                continue;
            }
            let value = parameter.kind.coerce(&value).ok_or_else(|| {
                format!(
                    "`{}` of {} must be {}. {}",
                    parameter.name,
                    self.tool,
                    parameter.kind,
                    self.like_this()
                )
            })?;
            match known.insert(parameter.name.to_owned(), value.clone()) {
                Some(other) if other != value => {
                    return Err(format!(
                        "`{}` of {} was given twice, as {} and as {}. Give it once.",
                        parameter.name,
                        self.tool,
                        quoted(&other.to_string()),
                        quoted(&value.to_string()),
                    ));
                }
                Some(_) | None => {}
            }
        }
        let is_missing = |parameter: &&Parameter| parameter.required && !known.contains_key(parameter.name);
        if let Some(missing) = self.parameters.iter().find(is_missing) {
            return Err(format!("{} needs `{}`. {}", self.tool, missing.name, self.like_this()));
        }
        serde_json::from_value(Value::Object(known)).map_err(|error| format!("{error}. {}", self.like_this()))
    }

    /// The JSON object in what the model wrote, also where it is a JSON string that holds one.
    fn object(&self, arguments: &str) -> Result<Map<String, Value>, String> {
        if arguments.trim().is_empty() {
            return Ok(Map::new());
        }
        let not_json = |error: serde_json::Error| {
            format!("The arguments of {} are not valid JSON ({error}). {}", self.tool, self.like_this())
        };
        let mut value: Value = serde_json::from_str(arguments).map_err(not_json)?;
        if let Value::String(inner) = &value {
            value = serde_json::from_str(inner).map_err(not_json)?;
        }
        match value {
            Value::Object(object) => Ok(object),
            Value::Null => Ok(Map::new()),
            Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                Err(format!("The arguments of {} must be a JSON object. {}", self.tool, self.like_this()))
            }
        }
    }

    fn parameter(&self, written: &str) -> Option<&Parameter> {
        let plain = plain_name(written);
        let is_meant = |it: &&Parameter| plain_name(it.name) == plain || it.aliases.contains(&plain.as_str());
        self.parameters.iter().find(is_meant)
    }

    fn unknown(&self, written: &str) -> String {
        let known: Vec<String> = self.parameters.iter().map(|it| format!("`{}`", it.name)).collect();
        format!("{} has no argument `{}`. It takes {}.", self.tool, quoted(written), known.join(", "))
    }

    fn like_this(&self) -> String {
        format!("Call it like this: {} {}", self.tool, self.example)
    }
}

/// `file_path`, `filePath` and `file-path` are one name; so are `-i` and `i`.
fn plain_name(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|it| it.to_ascii_lowercase()).collect()
}

impl Kind {
    fn json_type(self) -> &'static str {
        match self {
            Self::Text => "string",
            Self::Count => "integer",
            Self::Flag => "boolean",
        }
    }

    /// The value, if it can be taken for one of this kind.
    fn coerce(self, value: &Value) -> Option<Value> {
        match self {
            Self::Text => match value {
                Value::String(text) => Some(text.clone().into()),
                Value::Number(number) => Some(number.to_string().into()),
                Value::Bool(flag) => Some(flag.to_string().into()),
                Value::Null | Value::Array(_) | Value::Object(_) => None,
            },
            Self::Count => match value {
                Value::Number(number) => count(number).map(Value::from),
                Value::String(text) => {
                    text.trim().parse().ok().and_then(|number| count(&number)).map(Value::from)
                }
                Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
            },
            Self::Flag => match value {
                Value::Bool(flag) => Some((*flag).into()),
                Value::Number(number) => match count(number)? {
                    0 => Some(false.into()),
                    1 => Some(true.into()),
                    _ => None,
                },
                Value::String(text) => match text.trim().to_ascii_lowercase().as_str() {
                    "true" | "yes" | "1" => Some(true.into()),
                    "false" | "no" | "0" => Some(false.into()),
                    _ => None,
                },
                Value::Null | Value::Array(_) | Value::Object(_) => None,
            },
        }
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Text => "a text",
            Self::Count => "a whole number, not negative",
            Self::Flag => "true or false",
        })
    }
}

/// A number without a fraction and a sign: `2`, and `2.0` as some models write it.
fn count(number: &Number) -> Option<u64> {
    number.as_u64().or_else(|| {
        let number = number.as_f64()?;
        // Above 2^53 not every whole number is a float: whoever means such a line is wrong about the file.
        ((0.0..9_007_199_254_740_992.0).contains(&number) && number.fract() == 0.0).then_some(number as u64)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde::Deserialize;

    #[derive(Debug, PartialEq, Deserialize)]
    struct Given {
        path: String,
        limit: Option<u64>,
        ignore_case: Option<bool>,
    }

    static FORM: Form = Form {
        tool: "Look",
        description: "Looks.",
        example: r#"{"path": "a.txt"}"#,
        parameters: &[
            Parameter {
                name: "path",
                aliases: &["filepath"],
                kind: Kind::Text,
                required: true,
                description: "",
            },
            Parameter {
                name: "limit",
                aliases: &[],
                kind: Kind::Count,
                required: false,
                description: "lines",
            },
            Parameter {
                name: "ignore_case",
                aliases: &["i"],
                kind: Kind::Flag,
                required: false,
                description: "",
            },
        ],
    };

    fn given(path: &str, limit: Option<u64>, ignore_case: Option<bool>) -> Result<Given, String> {
        Ok(Given { path: path.to_owned(), limit, ignore_case })
    }

    #[test]
    fn understands_what_models_write() {
        let ways = [
            (r#"{"path": "a"}"#, given("a", None, None)),
            (r#"{"file_path": "a", "limit": "12"}"#, given("a", Some(12), None)),
            (r#"{"filePath": "a", "-i": true}"#, given("a", None, Some(true))),
            (r#"{"Path": "a", "limit": 2.0, "ignoreCase": "Yes"}"#, given("a", Some(2), Some(true))),
            (r#"{"path": 404, "limit": " 7 ", "ignore_case": 0}"#, given("404", Some(7), Some(false))),
            (r#"{"path": "a", "file_path": "a", "limit": null, "i": ""}"#, given("a", None, None)),
            (r#""{\"path\": \"a\"}""#, given("a", None, None)),
        ];
        for (arguments, expected) in ways {
            assert_eq!(FORM.read::<Given>(arguments), expected, "{arguments}");
        }
    }

    #[test]
    fn says_what_to_change() {
        let like_this = r#"Call it like this: Look {"path": "a.txt"}"#;
        let ways = [
            (
                r#"{"path": "a", "colour": 1}"#,
                "Look has no argument `colour`. It takes `path`, `limit`, `ignore_case`.".to_owned(),
            ),
            ("", format!("Look needs `path`. {like_this}")),
            ("null", format!("Look needs `path`. {like_this}")),
            (r#"{"path": ""}"#, format!("Look needs `path`. {like_this}")),
            (r#"{"path": ["a"]}"#, format!("`path` of Look must be a text. {like_this}")),
            (
                r#"{"path": "a", "limit": -1}"#,
                format!("`limit` of Look must be a whole number, not negative. {like_this}"),
            ),
            (
                r#"{"path": "a", "limit": 1e300}"#,
                format!("`limit` of Look must be a whole number, not negative. {like_this}"),
            ),
            (
                r#"{"path": "a", "i": "maybe"}"#,
                format!("`ignore_case` of Look must be true or false. {like_this}"),
            ),
            (
                r#"{"path": "a", "file_path": "b"}"#,
                r#"`path` of Look was given twice, as "b" and as "a". Give it once."#.to_owned(),
            ),
            (r#"["a"]"#, format!("The arguments of Look must be a JSON object. {like_this}")),
            (
                r#"{"path": "a"#,
                format!(
                    "The arguments of Look are not valid JSON (EOF while parsing a string at line 1 column 11). {like_this}"
                ),
            ),
        ];
        for (arguments, expected) in ways {
            assert_eq!(FORM.read::<Given>(arguments), Err(expected), "{arguments}");
        }
    }

    #[test]
    fn is_described_by_the_same_table() {
        assert_eq!(
            FORM.spec(),
            ToolSpec {
                name: "Look".into(),
                description: "Looks.".into(),
                parameters: json!({
                    "type": "object",
                    "properties": {
                        "path": { "type": "string" },
                        "limit": { "type": "integer", "description": "lines" },
                        "ignore_case": { "type": "boolean" },
                    },
                    "required": ["path"],
                }),
            }
        );
    }

    proptest! {
        #[test]
        fn never_panics(arguments in any::<String>(), key in "path|limit|-i|x", value in any::<f64>()) {
            let _ = FORM.read::<Given>(&arguments);
            let _ = FORM.read::<Given>(&json!({ "path": "a", key: value }).to_string());
        }
    }
}
