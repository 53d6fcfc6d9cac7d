import type { MailSandboxAddresses } from '../mail-sandbox/sandbox.mts';
import type { Demo } from './demo.mts';
import { local } from './files.mts';

/** For shells: `. .local/run.env` beside a running platform, and the commands of the docs work as they are. */
export const runEnvironmentFile = (): string => local('run.env');

interface Running extends Demo {
  apiUrl: string;
  workerUrl: string;
  mailSandbox?: Pick<MailSandboxAddresses, 'webUrl' | 'smtp' | 'imap' | 'password'>;
}

/** Lines that a POSIX shell reads. Without a sandbox its names are left out: what needs one then says which is missing. */
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
