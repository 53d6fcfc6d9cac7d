/** A parsed query. */
export interface CoqlQuery {
  readonly columns: readonly string[];
  /** A module, or the id of a custom view. */
  readonly source: string;
  readonly where: CoqlCondition;
  readonly limit: number;
}

export interface CoqlComparison {
  readonly kind: 'compare';
  readonly column: string;
  readonly operator: string;
  readonly values: readonly string[];
}

export type CoqlCondition =
  | { readonly kind: 'and'; readonly sides: readonly CoqlCondition[] }
  | { readonly kind: 'or'; readonly sides: readonly CoqlCondition[] }
  | CoqlComparison;

/** The response of Zoho to an invalid query. */
export class CoqlFault extends Error {
  constructor(
    readonly code: 'SYNTAX_ERROR' | 'INVALID_QUERY' | 'LIMIT_EXCEEDED',
    readonly details: Readonly<Record<string, unknown>>,
    message: string,
  ) {
    super(message);
  }
}

const MAX_LIMIT = 2_000;
const DEFAULT_LIMIT = 200;
const MAX_IN = 100;
const MAX_COLUMNS = 500;
const MAX_CRITERIA = 25;

/** Words, quoted text with doubled inner quotes, and symbols. */
const TOKEN = /\s*(?:'((?:[^']|'')*)'|([A-Za-z0-9_.]+)|(>=|<=|!=|[(),=<>]))/y;

interface Token {
  readonly kind: 'text' | 'word' | 'sign';
  readonly value: string;
}

/** The part of COQL that reads people (v8/COQL-Overview.html), with its limits (v8/COQL-Limitations.html). */
export class CoqlReader {
  readonly #tokens: readonly Token[];
  #at = 0;
  #criteria = 0;

  constructor(query: string) {
    this.#tokens = tokenize(query);
  }

  read(): CoqlQuery {
    this.#word('select');
    const columns = this.#list(() => this.#name());
    if (columns.length > MAX_COLUMNS) throw limitExceeded('select', MAX_COLUMNS);
    this.#word('from');
    const source = this.#name();
    if (!this.#isWord('where')) throw new CoqlFault('SYNTAX_ERROR', { clause: 'where' }, 'missing clause');
    this.#word('where');
    const where = this.#criterion();
    const [next] = this.#tokens.slice(this.#at);
    // More than two criteria have to be nested in pairs.
    if (next && ['and', 'or'].includes(next.value.toLowerCase())) throw syntaxError(next.value);
    this.#order();
    return { columns, source, where, limit: this.#limit() };
  }

  #order(): void {
    if (!this.#isWord('order')) return;
    this.#word('order');
    this.#word('by');
    if (this.#name() !== 'id') throw syntaxError('order by');
    if (this.#isWord('asc')) this.#word('asc');
  }

  #limit(): number {
    if (!this.#isWord('limit')) return DEFAULT_LIMIT;
    this.#word('limit');
    const limit = Number(this.#name());
    if (limit > MAX_LIMIT) throw limitExceeded('limit', MAX_LIMIT);
    if (this.#at < this.#tokens.length) throw syntaxError('limit');
    return limit;
  }

  /** One criterion, or two in brackets. */
  #criterion(): CoqlCondition {
    if (!this.#isSign('(')) return this.#comparison();
    this.#sign('(');
    const first = this.#criterion();
    if (this.#isSign(')')) {
      this.#sign(')');
      return first;
    }
    const kind = this.#name().toLowerCase();
    if (kind !== 'and' && kind !== 'or') throw syntaxError(kind);
    const second = this.#criterion();
    this.#sign(')');
    return { kind, sides: [first, second] };
  }

  #comparison(): CoqlCondition {
    this.#criteria += 1;
    if (this.#criteria > MAX_CRITERIA) throw limitExceeded('where', MAX_CRITERIA);
    const column = this.#name();
    if (this.#isWord('is')) return { kind: 'compare', column, operator: this.#isNull(), values: [] };
    if (this.#isWord('in')) {
      this.#word('in');
      this.#sign('(');
      const values = this.#list(() => this.#name());
      this.#sign(')');
      if (values.length > MAX_IN) throw limitExceeded('in', MAX_IN);
      return { kind: 'compare', column, operator: 'in', values };
    }
    const { kind, value: operator } = this.#next();
    if (kind !== 'sign' || ['(', ')', ','].includes(operator)) throw syntaxError(operator);
    return { kind: 'compare', column, operator, values: [this.#name()] };
  }

  #isNull(): string {
    this.#word('is');
    const isNot = this.#isWord('not');
    if (isNot) this.#word('not');
    this.#word('null');
    return isNot ? 'is not null' : 'is null';
  }

  #list(item: () => string): string[] {
    const items = [item()];
    while (this.#isSign(',')) {
      this.#sign(',');
      items.push(item());
    }
    return items;
  }

  #name(): string {
    const { kind, value } = this.#next();
    if (kind === 'sign') throw syntaxError(value);
    return value;
  }

  #next(): Token {
    const token = this.#tokens[this.#at++];
    if (!token) throw syntaxError('the end');
    return token;
  }

  #isWord(word: string): boolean {
    const token = this.#tokens[this.#at];
    return token?.kind === 'word' && token.value.toLowerCase() === word;
  }

  #isSign(sign: string): boolean {
    const token = this.#tokens[this.#at];
    return token?.kind === 'sign' && token.value === sign;
  }

  #word(word: string): void {
    if (!this.#isWord(word)) throw syntaxError(word);
    this.#at += 1;
  }

  #sign(sign: string): void {
    if (!this.#isSign(sign)) throw syntaxError(sign);
    this.#at += 1;
  }
}

function tokenize(query: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < query.trimEnd().length) {
    const at = TOKEN.lastIndex;
    const [, text, word, sign] = TOKEN.exec(query) ?? [];
    if (text !== undefined) tokens.push({ kind: 'text', value: text.replaceAll("''", "'") });
    else if (word !== undefined) tokens.push({ kind: 'word', value: word });
    else if (sign !== undefined) tokens.push({ kind: 'sign', value: sign });
    else throw syntaxError(query.slice(at, at + 10));
  }
  return tokens;
}

function syntaxError(near: string): CoqlFault {
  return new CoqlFault('SYNTAX_ERROR', { near }, 'error occurred while parsing the query');
}

function limitExceeded(clause: string, limit: number): CoqlFault {
  return new CoqlFault('LIMIT_EXCEEDED', { clause, limit }, `${clause} exceeds the limit`);
}
