/** The mail sandbox that runs (tools/mail-sandbox), as it tells of itself. Any address logs in with its password. */
export interface MailSandbox {
  readonly smtp: {
    readonly host: string;
    readonly port: number;
    readonly tlsPort: number;
    readonly brokenTlsPort: number;
    readonly brokenStartTlsPort: number;
    readonly otherProtocolPort: number;
  };
  readonly imap: { readonly host: string; readonly port: number; readonly tlsPort: number };
  /** null where the machine has no name server to start. */
  readonly dns: { readonly host: string; readonly port: number } | null;
  readonly webUrl: string;
  readonly caFile: string;
  /** A line for each mail that it has taken. */
  readonly acceptedLog: string;
  /** A line for each message that it was given, taken or not. */
  readonly givenLog: string;
  readonly password: string;
}

/** Where MongoDB listens that the tests share. Each suite has a database of its own in it. */
export function mongoUrl(): string {
  return parseProvidedServers('MONGODB_URI');
}

/** Where Redis listens that the tests share. Each suite has a prefix of its own in it. */
export function redisUrl(): string {
  return parseProvidedServers('REDIS_URL');
}

export function mailSandbox(): MailSandbox {
  return JSON.parse(parseProvidedServers('MAIL_SANDBOX')) as MailSandbox;
}

/** Where the sandbox's DNS server (NSD) listens, as `DNS_SERVERS` has it. */
export function sandboxDns(): string {
  const { dns } = mailSandbox();
  if (!dns) throw new Error('The mail sandbox has no DNS server');
  return `${dns.host}:${dns.port}`;
}

function parseProvidedServers(name: 'MONGODB_URI' | 'REDIS_URL' | 'MAIL_SANDBOX'): string {
  const value = process.env[name];
  if (!value) throw new Error(`Tests need ${name}; \`npm test\` provides it`);
  return value;
}
