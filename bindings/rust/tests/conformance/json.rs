//! JSON, as far as the programs need it: objects keep the order of their members.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Str(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    pub fn parse(text: &str) -> Json {
        let mut reader = Reader { text: text.as_bytes(), at: 0 };
        let value = reader.value();
        reader.skip();
        assert_eq!(reader.at, text.len(), "something follows the JSON");
        value
    }

    pub fn get(&self, name: &str) -> Option<&Json> {
        match self {
            Json::Object(members) => members.iter().find(|(key, _)| key == name).map(|(_, value)| value),
            _ => None,
        }
    }

    pub fn at(&self, name: &str) -> &Json {
        self.get(name).unwrap_or_else(|| panic!("there is no {name:?}"))
    }

    pub fn array(&self) -> &[Json] {
        match self {
            Json::Array(items) => items,
            other => panic!("no list: {other:?}"),
        }
    }

    pub fn object(&self) -> &[(String, Json)] {
        match self {
            Json::Object(members) => members,
            other => panic!("no object: {other:?}"),
        }
    }

    pub fn str(&self) -> &str {
        match self {
            Json::Str(text) => text,
            other => panic!("no text: {other:?}"),
        }
    }

    pub fn int(&self) -> i64 {
        match self {
            Json::Int(value) => *value,
            Json::Float(value) if value.fract() == 0.0 => *value as i64,
            other => panic!("no whole number: {other:?}"),
        }
    }

    pub fn float(&self) -> f64 {
        match self {
            Json::Int(value) => *value as f64,
            Json::Float(value) => *value,
            Json::Str(text) => text.parse().unwrap_or_else(|_| panic!("no number: {text}")),
            other => panic!("no number: {other:?}"),
        }
    }

    pub fn ints(&self) -> Vec<i64> {
        match self {
            Json::Array(items) => items.iter().map(Json::int).collect(),
            one => vec![one.int()],
        }
    }

    /// As text, without spaces.
    pub fn write(&self) -> String {
        match self {
            Json::Null => "null".into(),
            Json::Bool(truth) => truth.to_string(),
            Json::Int(value) => value.to_string(),
            Json::Float(value) => format!("{value:?}"),
            Json::Str(text) => quoted(text),
            Json::Array(items) => format!("[{}]", items.iter().map(Json::write).collect::<Vec<_>>().join(",")),
            Json::Object(members) => {
                let members: Vec<_> = members.iter().map(|(k, v)| format!("{}:{}", quoted(k), v.write())).collect();
                format!("{{{}}}", members.join(","))
            }
        }
    }
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if (c as u32) < 0x20 => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn skip(&mut self) {
        while self.text.get(self.at).map_or(false, u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    fn peek(&mut self) -> u8 {
        self.skip();
        *self.text.get(self.at).expect("the JSON ends too early")
    }

    fn expect(&mut self, byte: u8) {
        assert_eq!(self.peek() as char, byte as char, "at byte {}", self.at);
        self.at += 1;
    }

    fn value(&mut self) -> Json {
        match self.peek() {
            b'{' => Json::Object(self.list(b'{', b'}', |reader| {
                let key = reader.string();
                reader.expect(b':');
                (key, reader.value())
            })),
            b'[' => Json::Array(self.list(b'[', b']', Reader::value)),
            b'"' => Json::Str(self.string()),
            b't' => self.word("true", Json::Bool(true)),
            b'f' => self.word("false", Json::Bool(false)),
            b'n' => self.word("null", Json::Null),
            _ => self.number(),
        }
    }

    fn word(&mut self, word: &str, value: Json) -> Json {
        assert!(self.text[self.at..].starts_with(word.as_bytes()), "no JSON at byte {}", self.at);
        self.at += word.len();
        value
    }

    fn list<T>(&mut self, open: u8, close: u8, mut item: impl FnMut(&mut Self) -> T) -> Vec<T> {
        self.expect(open);
        let mut items = Vec::new();
        while self.peek() != close {
            if !items.is_empty() {
                self.expect(b',');
            }
            items.push(item(self));
        }
        self.expect(close);
        items
    }

    fn number(&mut self) -> Json {
        let start = self.at;
        while self.text.get(self.at).map_or(false, |c| c.is_ascii_digit() || b"+-.eE".contains(c)) {
            self.at += 1;
        }
        let text = std::str::from_utf8(&self.text[start..self.at]).unwrap();
        match text.parse::<i64>() {
            Ok(whole) => Json::Int(whole),
            Err(_) => Json::Float(text.parse().unwrap_or_else(|_| panic!("no number: {text}"))),
        }
    }

    fn string(&mut self) -> String {
        self.expect(b'"');
        let mut out = Vec::new();
        loop {
            let byte = self.text[self.at];
            self.at += 1;
            match byte {
                b'"' => return String::from_utf8(out).unwrap(),
                b'\\' => {
                    let escaped = self.text[self.at];
                    self.at += 1;
                    let c = match escaped {
                        b'n' => '\n',
                        b't' => '\t',
                        b'r' => '\r',
                        b'b' => '\u{8}',
                        b'f' => '\u{c}',
                        b'u' => self.unicode(),
                        other => other as char,
                    };
                    out.extend(c.to_string().bytes());
                }
                byte => out.push(byte),
            }
        }
    }

    fn unicode(&mut self) -> char {
        let unit = |reader: &mut Self| {
            let digits = std::str::from_utf8(&reader.text[reader.at..reader.at + 4]).unwrap();
            reader.at += 4;
            u32::from_str_radix(digits, 16).unwrap()
        };
        let first = unit(self);
        if !(0xd800..0xdc00).contains(&first) {
            return char::from_u32(first).unwrap();
        }
        self.at += 2;
        let second = unit(self);
        char::from_u32(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)).unwrap()
    }
}
