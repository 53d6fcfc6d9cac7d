import type { MailSandboxAddresses } from '../mail-sandbox/sandbox.mts';
import type { Demo } from './demo.mts';
import { local } from './files.mts';

/** Variables for shells: with `. .local/run.env`, the commands of the docs work unchanged while the platform runs. */
export const runEnvironmentFile = (): string => local('run.env');

interface Running extends Demo {
  apiUrl: string;
  workerUrl: string;
  mailSandbox?: Pick<MailSandboxAddresses, 'webUrl' | 'smtp' | 'imap' | 'password'>;
}

/** Lines for a POSIX shell. Without a sandbox its variables are omitted; commands that need one then report it as missing. */
export function runEnvironment(info: Running): string {
  const { mailSandbox } = info;
  const values = {
    API: info.apiUrl,
    KEY: info.workspaceKey,
    USER_KEY: info.userKey,
    WORKSPACE: info.workspaceId,
    WORKER: info.workerUrl,
    ...(mailSandbox && {
      SANDBOX: mailSandbox.webUrl,
      SMTP_PORT: mailSandbox.smtp.port,
      IMAP_PORT: mailSandbox.imap.tlsPort,
      SANDBOX_PASSWORD: mailSandbox.password,
    }),
  };
  return Object.entries(values)
    .map(([name, value]) => `export ${name}=${quoted(String(value))}\n`)
    .join('');
}

const quoted = (value: string): string => `'${value.replaceAll("'", String.raw`'\''`)}'`;
