/**
 * What a script of a breach knows, in JavaScript for node: requests by name in R, answers by name in
 * files of the folder T. It holds no single quote, for it stands between two in a script of sh.
 *
 * What is judged is said of: `a` the answer and `b` its body, `c` the answer of the control, `o` the
 * task before it was sent and `t` the task afterwards, `n(x)` how many records the CSV of an answer has.
 */
export const library = [
  'const fs = require("fs"), { T, R, API_KEY: k, U: u } = process.env, q = JSON.parse(R);',
  'const text = (f) => { try { return fs.readFileSync(T + "/" + f, "utf8") } catch { return "" } };',
  'const json = (s) => { try { return JSON.parse(s) } catch {} }, r = (f) => ({ status: +text(f + ".s"), text: text(f), body: json(text(f)) });',
  'const at = (x, p) => p.split(".").reduce((y, m) => y?.[m], x), eq = (x, y) => String(x).toLowerCase() === String(y).toLowerCase(), is = (s, w) => w.endsWith("xx") ? String(s)[0] === w[0] : s === +w;',
  'const same = (x, y) => x && y ? eq(x.assigned_to_id, y.assigned_to_id) && eq(x.assigned_to_type, y.assigned_to_type) && (x.assignment_comment || "") === (y.assignment_comment || "") : (x || null) === (y || null);',
  'const n = (x) => { let m = 0, quoted = false, some = false; for (const h of x.text) { if (h === "\\"") quoted = !quoted; if (h === "\\n" && !quoted) { m += some; some = false } else if (h !== "\\r") some = true } return m + some };',
  'const last = () => ["set2", "set1", "set0", "first"].map((f) => r(f).body).find((x) => x?.updated_at), version = (m) => { const f = m.is ?? String((m.of === "last" ? last() : r(m.of).body)?.updated_at ?? ""), d = m.digit; return d != null ? f.slice(0, d) + (+f[d] + 1) % 10 + f.slice(d + 1) : m.year ? +f.slice(0, 4) + m.year + f.slice(4) : (m.before || "") + (m.lower ? f.toLowerCase() : f.slice(0, m.length)) + (m.after || "") };',
  'const conf = (name, body) => { const x = q[name], h = { ...x.headers }; if (x.version) h["if-match"] = version(x.version); if (x.key) h.apikey = eval(x.key); const data = body || x.body, line = (m, y) => m + " = " + JSON.stringify(y) + "\\n"; if (data != null) fs.writeFileSync(T + "/" + name + ".b", data); return line("url", (x.base || u) + x.path) + line("request", x.method) + (data != null ? line("data-binary", "@" + T + "/" + name + ".b") : "") + Object.entries(h).map(([m, y]) => line("header", String(y).trim() ? m + ": " + String(y).split("(configured)").join(k) : m + ";")).join("") };',
]
