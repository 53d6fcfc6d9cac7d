import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toSummary } from './headers.mts';
import { MessageStore } from './store.mts';

describe('the store of messages', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'store-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const line = (queueId: string): string =>
    `${JSON.stringify({ queueId, time: 't', user: 'u', from: 'a@x', to: ['b@x'], messageId: '<1>', subject: 's', size: 1, answered: true })}\n`;

  it('shows the messages of an earlier run, and removes unreferenced files', async () => {
    const ids = ['0000000000000001', '0000000000000002', '0000000000000003'];
    await writeFile(join(folder, 'log'), `{"cut off\n${ids.map(line).join('')}`);
    const messages = join(folder, 'messages');
    const first = await MessageStore.open(messages, join(folder, 'log'), 2);
    for (const id of ids) await first.write(id, Buffer.from('x'));
    const store = await MessageStore.open(messages, join(folder, 'log'), 2);
    expect(store.find({ limit: 9 }).map(({ id }) => id)).toEqual([ids[2], ids[1]]);
    expect(store.find({ limit: 1 })[0]).not.toHaveProperty('user');
    expect((await readdir(messages)).sort()).toEqual([`${ids[1]}.eml`, `${ids[2]}.eml`]);
  });

  it.each(['../x', '', 'x', '0000000000000001/..', 'abcdefabcdefabcd'])('rejects %j as an id', async (id) => {
    const store = await MessageStore.open(folder, join(folder, 'none'), 2);
    expect(() => store.file(id)).toThrow('is not the id of a message');
    expect(await store.raw(id)).toBeUndefined();
  });
});

describe('the summary of a message', () => {
  it.each([
    [
      'From: "A, B" <A@X.test>\r\nSubject: =?utf-8?q?Gr=C3=B6=C3=9Fe?=\r\nMessage-Id:\r\n <1@x>\r\n\r\nSubject: no',
      'a@x.test',
      'Größe',
      '<1@x>',
    ],
    ['subject: folded\r\n\tline\r\nfrom: a@x.test\r\n\r\n', 'a@x.test', 'folded line', ''],
    ['Subject: unix\n\nFrom: not@this.test', '', 'unix', ''],
    ['no headers at all', '', '', ''],
    ['', '', '', ''],
  ])('of %j', (raw, from, subject, messageId) => {
    expect(toSummary(Buffer.from(raw))).toEqual({ from, subject, messageId });
  });
});
