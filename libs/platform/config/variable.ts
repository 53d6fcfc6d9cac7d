import { IPv4, IPv6 } from 'ipaddr.js';

/** Maps one environment variable to one typed field. */
export interface Variable {
  /** Name in the environment. */
  env: string;
  /** Field of the configuration that holds the parsed value. */
  field: string;
  /** One sentence for the operator. */
  about: string;
  /** Text used when the variable is absent; `undefined` makes the variable required. */
  fallback: string | undefined;
  /** A valid value, shown in `.env.example` for required variables. */
  example: string | undefined;
  /** Secret values are never printed or logged. */
  secret: boolean;
  /** Throws an Error that describes a valid value, without the value itself. */
  parse: (text: string) => unknown;
}

interface VariableOptions {
  about: string;
  default?: string;
  example?: string;
  secret?: boolean;
}

/** The variables of `Config`, in order of declaration. */
const declared: Variable[] = [];
/** The variables of `McpConfig`: the MCP server runs on the user's machine and has no database. */
const declaredForMcp: Variable[] = [];

export const variables: readonly Variable[] = declared;
export const mcpVariables: readonly Variable[] = declaredForMcp;

/** Binds a field of `Config` to an environment variable; the parser's type must be the field's. */
export const FromEnv = bindingTo(declared);

/** The same for a field of `McpConfig`. */
export const FromMcpEnv = bindingTo(declaredForMcp);

function bindingTo(variables: Variable[]) {
  return <T>(env: string, parse: (text: string) => T, options: VariableOptions) =>
    <K extends string>(_target: { readonly [P in K]: T }, field: K): void => {
      variables.push({
        env,
        field,
        parse,
        about: options.about,
        fallback: options.default,
        example: options.example,
        secret: options.secret ?? false,
      });
    };
}

export function text(value: string): string {
  return value;
}

/** Empty, or long enough to resist guessing, and of characters that are valid in an HTTP header. */
export function token(value: string): string {
  if (value !== '' && !/^[\x21-\x7e]{24,200}$/.test(value)) {
    throw new Error('must have 24 to 200 visible ASCII characters without spaces');
  }
  return value;
}

/** A whole number in plain decimal digits, both bounds included. */
export function integer(min: number, max: number) {
  return (value: string): number => {
    const parsed = Number(value);
    if (!/^\d{1,15}$/.test(value) || parsed < min || parsed > max) {
      throw new Error(`must be a whole number from ${min} to ${max}`);
    }
    return parsed;
  };
}

/** An amount of money from 0 to 1 000 000 with at most six decimals, written with a point. */
export function price(value: string): number {
  const parsed = Number(value);
  if (!/^\d{1,7}(?:\.\d{1,6})?$/.test(value) || parsed > 1_000_000) {
    throw new Error('must be an amount from 0 to 1000000 such as 0.15');
  }
  return parsed;
}

export function flag(value: string): boolean {
  if (value !== 'true' && value !== 'false') throw new Error('must be true or false');
  return value === 'true';
}

/** `true`, `false`, or networks in CIDR notation, comma-separated. */
export function flagOrNetworks(value: string): boolean | readonly string[] {
  if (value === 'true' || value === 'false') return flag(value);
  const networks = list(value);
  if (networks.length > 0 && networks.every(isNetwork)) return networks;
  throw new Error('must be true, false or networks like 10.20.0.0/16, comma-separated');
}

function isNetwork(text: string): boolean {
  return IPv4.isValidCIDRFourPartDecimal(text) || IPv6.isValidCIDR(text);
}

export function getOne<const T extends string>(...allowed: T[]) {
  return (value: string): T => {
    const found = allowed.find((candidate) => candidate === value);
    if (found === undefined) throw new Error(`must be one of ${allowed.join(', ')}`);
    return found;
  };
}

/** Comma-separated entries, trimmed, without empty ones. */
export function list(value: string): readonly string[] {
  return value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/**
 * IP addresses with or without a port, comma-separated; an IPv6 address with a port is in brackets. Returns each as `v4:port`
 * or `[v6]:port`, the form of Node's resolvers.
 */
export function serverAddresses(defaultPort: number) {
  return (value: string): readonly string[] => list(value).map((entry) => serverAddress(entry, defaultPort));
}

function serverAddress(entry: string, defaultPort: number): string {
  const bare = IPv6.isValid(entry) ? `[${entry}]` : entry;
  const [, v6, v4, digits] = /^(?:\[(.+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(bare) ?? [];
  const port = digits === undefined ? defaultPort : Number(digits);
  const isAddress = v6 === undefined ? IPv4.isValidFourPartDecimal(v4 ?? '') : IPv6.isValid(v6);
  if (!isAddress || port < 1 || port > 65_535) {
    throw new Error('must be IP addresses like 10.0.0.2, 10.0.0.2:5353 or [fd00::2]:53, comma-separated');
  }
  return v6 === undefined ? `${v4}:${port}` : `[${v6}]:${port}`;
}

/** Empty, a host name, or an SMTP address literal in brackets (RFC 5321, section 4.1.3). */
export function serverName(value: string): string {
  if (value !== '' && !/^(?=.{1,255}$)([a-z\d-]+(\.[a-z\d-]+)*|\[(IPv6:)?[\da-f:.]+\])$/i.test(value)) {
    throw new Error('must be a host name like probe.example.com, or an address in brackets');
  }
  return value;
}

/** Empty, or a plain ASCII email address, without a name and without brackets. */
export function mailSender(value: string): string {
  if (value !== '' && !/^(?=.{3,254}$)[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d-]+(\.[a-z\d-]+)+$/i.test(value)) {
    throw new Error('must be an email address like probe@example.com');
  }
  return value;
}

/** Empty, or the URL of a mail server: `smtp://` or `smtps://` with user, password and host, without a path. */
export function smtpUrl(value: string): string {
  if (value === '') return value;
  const url = URL.canParse(value) ? new URL(value) : null;
  const isServer = url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '';
  const isComplete = isServer && url.username !== '' && url.password !== '';
  if (!isComplete || !/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '' || !isDecodable(url)) {
    throw new Error('must be smtp://user:password@host:port or smtps://user:password@host:port, percent-encoded');
  }
  return value;
}

function isDecodable({ username, password }: URL): boolean {
  try {
    return decodeURIComponent(username) !== '' && decodeURIComponent(password) !== '';
  } catch {
    return false;
  }
}

/** The empty text, or a value that `parse` accepts. */
export function emptyOr<T>(parse: (text: string) => T) {
  return (value: string): T | '' => (value === '' ? '' : parse(value));
}

/** An absolute URL with one of the schemes, returned unchanged. */
export function url(...schemes: string[]) {
  return (value: string): string => {
    const scheme = URL.canParse(value) ? new URL(value).protocol.slice(0, -1) : /^[a-z+]+(?=:\/\/)/.exec(value)?.[0];
    if (scheme === undefined || !schemes.includes(scheme)) {
      throw new Error(`must be a URL that starts with ${schemes.map((name) => `${name}://`).join(' or ')}`);
    }
    return value;
  };
}

/** An http or https URL of the platform, returned without a trailing slash. */
export function platformUrl(value: string): string {
  const parsed = URL.parse(value);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    throw new Error('must be a URL that starts with http:// or https://');
  }
  if (parsed.username !== '' || parsed.password !== '' || parsed.search !== '' || parsed.hash !== '') {
    throw new Error('must have no user, query or fragment');
  }
  return parsed.href.replace(/\/+$/, '');
}

/** An API key of the platform, of characters that are valid in an HTTP header. */
export function apiKey(value: string): string {
  if (!/^sk_[\w-]{1,200}$/.test(value)) throw new Error('must be an API key, which begins with sk_');
  return value;
}

/** Empty, or an id as in API responses. */
export function recordId(value: string): string {
  if (value !== '' && !/^[\da-f]{24}$/i.test(value)) throw new Error('must be an id of 24 hexadecimal digits');
  return value;
}
