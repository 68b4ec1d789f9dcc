//! A field value after the contract gave it its type (spec C4). It knows no file.

/// A typed value in canonical form.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `string`, `text`, `enum` and `url`, as written.
    Text(String),
    /// `integer`.
    Integer(i64),
    /// `number` as a canonical decimal: no exponent, no trailing zeros, no negative zero.
    Number(String),
    /// `boolean`.
    Boolean(bool),
    /// `date` as `YYYY-MM-DD`.
    Date(String),
    /// `datetime` as RFC 3339 in UTC, ending in `Z`.
    DateTime(String),
    /// A list field, in author order, or sorted when the field is `unique`.
    List(Vec<Value>),
    /// `map` and `json`, scalars typed by the YAML core schema.
    Json(serde_json::Value),
}

impl Value {
    /// The value as JSON, as in the hashed object of a node: number, date and datetime are strings.
    pub fn to_json(&self) -> serde_json::Value {
        match self {
            Value::Text(text) | Value::Number(text) | Value::Date(text) | Value::DateTime(text) => {
                serde_json::Value::String(text.clone())
            }
            Value::Integer(number) => serde_json::Value::from(*number),
            Value::Boolean(truth) => serde_json::Value::Bool(*truth),
            Value::List(items) => serde_json::Value::Array(items.iter().map(Value::to_json).collect()),
            Value::Json(json) => json.clone(),
        }
    }
}
