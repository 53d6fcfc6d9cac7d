import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Platform, startPlatform } from '../harness';
import { PlatformProcess } from './processes';

const TOPIC = [
  'topics:',
  '  - name: board-meeting',
  '    subjects: [Board meeting]',
  '    opening: [["The board meets on {day}."]]',
  '    answers:',
  '      - { reply: [[Fine.]], closing: [[Good.]] }',
  '      - { reply: [[Gladly.]], closing: [[See you.]] }',
  '',
].join('\n');

describe.each(['api', 'worker'] as const)('the built %s, with a folder of the operator', (app) => {
  let platform: Platform;
  let folder: string;
  let file: string;
  let started: PlatformProcess;

  beforeAll(async () => {
    platform = await startPlatform();
  });
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'operator-'));
    file = join(folder, 'warmup/texts/en/ours.yaml');
    mkdirSync(join(folder, 'warmup/texts/en'), { recursive: true });
    started = await PlatformProcess.of(app, platform.config, { ASSETS_DIR: folder });
  });
  afterEach(async () => {
    await started.end('SIGKILL');
    rmSync(folder, { recursive: true });
  });
  afterAll(() => platform.close());

  it('starts with valid files', async () => {
    writeFileSync(file, TOPIC);
    await started.start();
    expect(await started.end('SIGTERM')).toBe(0);
  });

  it('refuses to start with an invalid file, and names file, line, path and reason', async () => {
    writeFileSync(file, TOPIC.replace('{day}', '{customer}'));
    const [code] = (await once(started.launch(), 'close')) as [number | null];
    expect(code).toBe(1);
    expect(started.output).toContain(
      `The asset file is not valid: ${file}:4: /topics/0/opening/0/0: does not have the form`,
    );
    expect(started.output).not.toContain('    at ');
  });
});
