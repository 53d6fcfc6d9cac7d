import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runEnvironment } from './run-env.mts';

const platform = {
  apiUrl: 'http://127.0.0.1:3000',
  workerUrl: 'http://127.0.0.1:3001',
  workspaceId: '665f1c2ab7c3d94e5f60718a',
  workspaceKey: 'sk_1',
  userKey: 'sk_user_1',
};
const mailSandbox = {
  smtp: { host: '127.0.0.1', port: 1, tlsPort: 2, brokenTlsPort: 3, brokenStartTlsPort: 4, otherProtocolPort: 5 },
  imap: { host: '127.0.0.1', port: 6, tlsPort: 7 },
  dns: undefined,
  webUrl: 'http://127.0.0.1:8',
  caFile: '/ca.crt',
  acceptedLog: '/data/accepted.jsonl',
  submittedLog: '/data/given.jsonl',
  dataDir: '/data',
  password: "it's $HOME",
};

describe('the variables of a running platform, for shells', () => {
  it('are read by a shell unchanged, whatever they contain', () => {
    const folder = mkdtempSync(join(tmpdir(), 'run-env-'));
    try {
      writeFileSync(join(folder, 'run.env'), runEnvironment({ ...platform, mailSandbox }));
      const shown = 'printf "%s|" "$API" "$KEY" "$USER_KEY" "$WORKSPACE" "$SMTP_PORT" "$IMAP_PORT" "$SANDBOX_PASSWORD"';
      const output = execFileSync('sh', ['-c', `. ./run.env; ${shown}`], { cwd: folder, encoding: 'utf8' });
      expect(output).toBe("http://127.0.0.1:3000|sk_1|sk_user_1|665f1c2ab7c3d94e5f60718a|1|7|it's $HOME|");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('contain no sandbox when there is none', () => {
    expect(runEnvironment(platform)).not.toMatch(/SMTP|IMAP|SANDBOX/);
  });
});
