/** The running mail sandbox (tools/mail-sandbox), as it describes itself. Any address can log in with its password. */
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
  /** null on a machine without a name server. */
  readonly dns: { readonly host: string; readonly port: number } | null;
  readonly webUrl: string;
  readonly caFile: string;
  /** One line per accepted mail. */
  readonly acceptedLog: string;
  /** One line per submitted message, accepted or not. */
  readonly submittedLog: string;
  readonly password: string;
}

/** URL of the MongoDB that all tests share; each suite has its own database. */
export function mongoUrl(): string {
  return requireVariable('MONGODB_URI');
}

/** URL of the Redis that all tests share; each suite has its own prefix. */
export function redisUrl(): string {
  return requireVariable('REDIS_URL');
}

export function mailSandbox(): MailSandbox {
  return JSON.parse(requireVariable('MAIL_SANDBOX')) as MailSandbox;
}

/** Address of the sandbox's DNS server (NSD), in the form of `DNS_SERVERS`. */
export function sandboxDns(): string {
  const { dns } = mailSandbox();
  if (!dns) throw new Error('The mail sandbox has no DNS server');
  return `${dns.host}:${dns.port}`;
}

function requireVariable(name: 'MONGODB_URI' | 'REDIS_URL' | 'MAIL_SANDBOX'): string {
  const value = process.env[name];
  if (!value) throw new Error(`Tests need ${name}; \`npm test\` provides it`);
  return value;
}
