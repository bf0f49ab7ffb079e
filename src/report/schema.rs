//! A check of JSON against the published schemas, for the tests of what is printed.

use std::collections::BTreeSet;

use serde_json::{Value, json};

/// Whether a value keeps to a schema, and to it alone: an object may have no field that the schema
/// does not describe. Knows the keywords that the schema uses and refuses others.
pub(crate) fn check(
    value: &Value,
    schema: &Value,
    root: &Value,
    place: &str,
) -> Result<(), String> {
    let empty = serde_json::Map::new();
    for (keyword, argument) in schema.as_object().unwrap_or(&empty) {
        let good = match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" | "contentEncoding" => true,
            "additionalProperties" => argument == &json!(false),
            "$ref" => {
                let pointer = argument.as_str().and_then(|text| text.strip_prefix('#'));
                let target = pointer.and_then(|pointer| root.pointer(pointer));
                check(value, target.ok_or("a dead reference")?, root, place)?;
                true
            }
            "const" => value == argument,
            "enum" => list(argument).contains(value),
            "type" => match argument {
                Value::Array(types) => types.iter().any(|name| is(value, name)),
                name => is(value, name),
            },
            "minimum" => value.as_f64() >= argument.as_f64(),
            "maximum" => value.as_f64() <= argument.as_f64(),
            "pattern" => value.as_str().is_some_and(|text| text.starts_with("0x")),
            "required" => list(argument)
                .iter()
                .all(|name| value.get(name.as_str().unwrap_or("")).is_some()),
            "oneOf" => {
                let fits = |choice: &&Value| check(value, choice, root, place).is_ok();
                list(argument).iter().filter(fits).count() == 1
            }
            "items" => {
                for (number, item) in list(value).iter().enumerate() {
                    check(item, argument, root, &format!("{place}[{number}]"))?;
                }
                true
            }
            "properties" => {
                for (name, field) in value.as_object().unwrap_or(&empty) {
                    let described = argument
                        .get(name)
                        .ok_or(format!("{place}.{name} is not described"))?;
                    check(field, described, root, &format!("{place}.{name}"))?;
                }
                let names = |object: &Value| -> BTreeSet<String> {
                    object
                        .as_object()
                        .into_iter()
                        .flat_map(|map| map.keys().cloned())
                        .collect()
                };
                let required = list(&schema["required"]);
                names(argument)
                    .iter()
                    .all(|name| required.contains(&json!(name)))
            }
            other => return Err(format!("the keyword {other} is not known to this test")),
        };
        if !good {
            return Err(format!("{place} breaks {keyword}: {value}"));
        }
    }
    Ok(())
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn is(value: &Value, name: &Value) -> bool {
    match name.as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("number") => value.is_number(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("null") => value.is_null(),
        _ => false,
    }
}
