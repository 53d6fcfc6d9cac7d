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

/** Has ended, but its parent, which ended too, has not read the exit status. */
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

  it('has in one block the variables of another, and a separate output for each', async () => {
    const ran = await run(block('A=1; echo one >&2'), block('echo "two $A"'));
    expect(ran.map(({ output, failure }) => [output, failure])).toEqual([
      ['', null],
      ['two 1\n', null],
    ]);
  });

  it.each([
    ['fails', 'false; echo on'],
    ['fails in a pipe', 'false | cat; echo on'],
    ['fails in a command substitution', 'A=$(false); echo on'],
    ['is unknown', 'no-such-program; echo on'],
  ])('stops at the first command that %s', async (_how, text) => {
    const ran = await run(block('echo before'), block(text), block('echo after'));
    expect(ran.map(({ output }) => output)).toEqual(['before\n', '']);
    expect(ran.map(({ failure }) => failure === null)).toEqual([true, false]);
  });

  it('fails on a response of 404 and reports it, unless the block is marked as refused', async () => {
    const [failed] = await run(block(`curl -sS ${url}`));
    expect(failed?.failure).toContain('{"success":false}');
    const ran = await run(block(`curl -sS ${url}`, 'refused'), block('echo on'));
    expect(ran.map(({ failure }) => failure)).toEqual([null, null]);
  });

  it('ends the processes that it has started in the background', async () => {
    await run(
      block('(trap "" HUP TERM; while :; do sleep 0.05; date +%N > alive; done) & echo $! > pid'),
      block('until test -s alive; do :; done'),
    );
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
    await eventually('the process has ended', () => Promise.resolve(!existsSync(`/proc/${pid}`) || isZombie(pid)));
  });
});
