/** The running mail sandbox (tools/mail-sandbox), as it describes itself. Any address logs in with its password. */
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
  /** null on a machine that cannot run the name server. */
  readonly dns: { readonly host: string; readonly port: number } | null;
  readonly webUrl: string;
  readonly caFile: string;
  /** One line for each accepted mail. */
  readonly acceptedLog: string;
  /** One line for each submitted message, accepted or not. */
  readonly givenLog: string;
  readonly password: string;
}

/** Address of the MongoDB that the tests share. Each suite has its own database. */
export function mongoUrl(): string {
  return parseProvidedServers('MONGODB_URI');
}

/** Address of the Redis that the tests share. Each suite has its own prefix. */
export function redisUrl(): string {
  return parseProvidedServers('REDIS_URL');
}

export function mailSandbox(): MailSandbox {
  return JSON.parse(parseProvidedServers('MAIL_SANDBOX')) as MailSandbox;
}

/** Address of the sandbox's DNS server (NSD), in the form of `DNS_SERVERS`. */
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
