import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@testing';
import { type Block } from './markdown';
import { hasProgram, runPage } from './shell';

const block = (text: string, ...marks: string[]): Block => ({
  at: 'docs/page.md:1',
  language: 'sh',
  text,
  marks: new Map(marks.map((mark) => [mark, ''])),
});

/** Whoever should have asked how it ended was ended, too. */
const isZombie = (pid: number): boolean => /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

const onThisMachine = hasProgram('bash') && hasProgram('curl') ? describe : describe.skip;

onThisMachine('a page in its shell', () => {
  let folder: string;
  let server: Server;
  let url: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'shell-'));
    server = createServer((_request, response) => response.writeHead(404).end('{"success":false}'));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(async () => {
    await new Promise((done) => server.close(done));
    rmSync(folder, { recursive: true });
  });

  const run = (...blocks: Block[]) =>
    runPage(blocks, {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '' },
      scratch: mkdtempSync(join(folder, 'page-')),
    });

  it('has in one block what another has set, and each its own output', async () => {
    const ran = await run(block('A=1; echo one >&2'), block('echo "two $A"'));
    expect(ran.map(({ output, failure }) => [output, failure])).toEqual([
      ['', null],
      ['two 1\n', null],
    ]);
  });

  it.each([
    ['fails', 'false; echo on'],
    ['fails in a pipe', 'false | cat; echo on'],
    ['fails where its output is kept', 'A=$(false); echo on'],
    ['is not there', 'no-such-program; echo on'],
  ])('ends at the first command that %s', async (_how, text) => {
    const ran = await run(block('echo before'), block(text), block('echo after'));
    expect(ran.map(({ output }) => output)).toEqual(['before\n', '']);
    expect(ran.map(({ failure }) => failure === null)).toEqual([true, false]);
  });

  it('fails by an answer of 404, which it tells, unless the block may be refused', async () => {
    const [failed] = await run(block(`curl -sS ${url}`));
    expect(failed?.failure).toContain('{"success":false}');
    const ran = await run(block(`curl -sS ${url}`, 'refused'), block('echo on'));
    expect(ran.map(({ failure }) => failure)).toEqual([null, null]);
  });

  it('takes what it has started in the background with it', async () => {
    await run(
      block('(trap "" HUP TERM; while :; do sleep 0.05; date +%N > alive; done) & echo $! > pid'),
      block('until test -s alive; do :; done'),
    );
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
    await eventually('it is gone', () => Promise.resolve(!existsSync(`/proc/${pid}`) || isZombie(pid)));
  });
});
