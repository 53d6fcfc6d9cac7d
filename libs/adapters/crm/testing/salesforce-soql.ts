/** A value in a query: quoted, or a plain literal (number, boolean, day, instant). */
export interface SoqlValue {
  readonly isQuoted: boolean;
  readonly text: string;
}

export interface SoqlCondition {
  readonly field: string;
  readonly operator: '=' | '>' | '>=' | 'IN' | 'INCLUDES' | 'MEMBER OF';
  readonly values: readonly SoqlValue[];
}

export interface SoqlQuery {
  readonly fields: readonly string[];
  readonly object: string;
  readonly conditions: readonly SoqlCondition[];
  readonly isById: boolean;
  readonly limit: number | null;
}

/** Parses the part of SOQL that drivers use. Null for a malformed query, which Salesforce refuses. */
export function parseSoql(text: string): SoqlQuery | null {
  const tokens = tokenize(text);
  if (!tokens) return null;
  try {
    return new SoqlReader(tokens).query();
  } catch (error) {
    if (error instanceof MalformedQuery) return null;
    throw error;
  }
}

class MalformedQuery extends Error {}

const TOKEN = /\s*(?:('(?:[^'\\]|\\[nNrRtTbBfF"'\\])*')|(>=|>|=|,|\(|\))|(-?[\w.][\w.:+-]*))/y;

function tokenize(text: string): string[] | null {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const match = TOKEN.exec(text);
    if (!match) return null;
    tokens.push(match[0].trimStart());
  }
  return tokens;
}

class SoqlReader {
  #at = 0;

  constructor(private readonly tokens: readonly string[]) {}

  query(): SoqlQuery {
    this.#word('SELECT');
    const fields = this.#list(() => this.#name());
    if (new Set(fields).size < fields.length) throw new MalformedQuery('duplicate field selected');
    this.#word('FROM');
    const object = this.#name();
    const conditions: SoqlCondition[] = [];
    if (this.#skips('WHERE')) {
      do conditions.push(this.#condition());
      while (this.#skips('AND'));
    }
    const isById = this.#skips('ORDER');
    if (isById) {
      this.#word('BY');
      this.#word('Id');
    }
    const limit = this.#skips('LIMIT') ? Number(this.#next()) : null;
    if (this.#at < this.tokens.length || Number.isNaN(limit)) throw new MalformedQuery('unexpected token');
    return { fields, object, conditions, isById, limit };
  }

  #condition(): SoqlCondition {
    const field = this.#name();
    const operator = this.#next();
    if (operator === '=' || operator === '>' || operator === '>=') return { field, operator, values: [this.#value()] };
    if (operator !== 'IN' && operator !== 'INCLUDES') throw new MalformedQuery('unexpected operator');
    this.#word('(');
    const isSubquery = this.tokens[this.#at] === 'SELECT';
    const values = isSubquery ? this.#members() : this.#list(() => this.#value());
    this.#word(')');
    return { field, operator: isSubquery ? 'MEMBER OF' : operator, values };
  }

  #members(): SoqlValue[] {
    for (const word of ['SELECT', 'ContactId', 'FROM', 'CampaignMember', 'WHERE', 'CampaignId', '=']) this.#word(word);
    return [this.#value()];
  }

  #list<T>(read: () => T): T[] {
    const list = [read()];
    while (this.#skips(',')) list.push(read());
    return list;
  }

  #value(): SoqlValue {
    const token = this.#next();
    if (token.startsWith("'")) return { isQuoted: true, text: unescapeText(token.slice(1, -1)) };
    if (!/^(?:true|false|null|-?\d[\w.:+-]*)$/.test(token)) throw new MalformedQuery('unexpected token');
    return { isQuoted: false, text: token };
  }

  #name(): string {
    const token = this.#next();
    if (!/^[A-Za-z]\w*(?:\.\w+)?$/.test(token)) throw new MalformedQuery('unexpected token');
    return token;
  }

  #word(word: string): void {
    if (!this.#skips(word)) throw new MalformedQuery(`no ${word}`);
  }

  #skips(word: string): boolean {
    const is = this.tokens[this.#at] === word;
    if (is) this.#at += 1;
    return is;
  }

  #next(): string {
    const token = this.tokens[this.#at];
    if (token === undefined) throw new MalformedQuery('unexpected end');
    this.#at += 1;
    return token;
  }
}

const MEANT: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

function unescapeText(text: string): string {
  return text.replace(/\\(.)/gs, (_all, character: string) => MEANT[character.toLowerCase()] ?? character);
}
