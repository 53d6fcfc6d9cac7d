import { join } from 'node:path';
import { SendingAddressRepository } from '@domain/deliverability';
import { eventually, mailSandbox, sandboxDns } from '@testing';
import { type Platform, type SeededWorkspace, startPlatform } from '../harness';
import { seededMailbox } from '../mailboxes/sandbox';
import { dataOf } from '../workspaces/people';
import { type BlacklistTest } from './blacklists';

/** The mail sandbox’s blacklists on its real name server, as with `npm start`. */
function sandboxLists(): Record<string, string> {
  const file = join(__dirname, '../../tools/mail-sandbox/blacklists.json');
  return { DNS_SERVERS: sandboxDns(), BLACKLIST_ZONES_FILE: file };
}

describe('a blacklist test with the mail sandbox', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    platform = await startPlatform({ env: sandboxLists(), worker: true });
    workspace = await platform.seed.workspace();
  });
  afterAll(() => platform.close());

  const api = () => platform.api.as(workspace.key);

  it('finds one domain listed and the other not, and ignores zones whose self-test fails', async () => {
    const { password } = mailSandbox();
    const mailboxes = [];
    for (const domain of ['demo.test', 'careless.test']) {
      mailboxes.push(await seededMailbox(platform, workspace.workspaceId, password, `ada-${Date.now()}@${domain}`));
    }
    const mailboxIds = mailboxes.map(({ _id }) => _id);
    const seen = platform.app.get(SendingAddressRepository, { strict: false });
    for (const address of ['1.2.3.7', '2d00:5a4d::bad'])
      await seen.learn(workspace.workspaceId, mailboxIds[1]!, address);
    const { _id } = dataOf<BlacklistTest>(await api().post('/v1/blacklist-tests').send({ mailboxIds }));
    const read = async () => dataOf<BlacklistTest>(await api().get(`/v1/blacklist-tests/${_id}`));
    await eventually('the test is over', async () => !['pending', 'running'].includes((await read()).status), 25_000);
    const { status, overallSummary, results } = await read();
    expect({ status, overallSummary }).toEqual({
      status: 'completed',
      overallSummary: { totalChecked: 2, clean: 1, blacklisted: 1 },
    });
    expect(results).toMatchObject([
      { verdict: 'clean', counts: { listed: 0, clear: 1, unknown: 1, zone_broken: 2 }, listings: [] },
      {
        verdict: 'blacklisted',
        listings: [
          {
            zone: 'dbl.sandbox.test',
            meaning: 'Seen in spam',
            reason: 'Seen in spam, https://dbl.sandbox.test/why?domain=careless.test',
            removalUrl: 'https://dbl.sandbox.test/remove',
          },
          { zone: 'bl.sandbox.test', subject: '2d00:5a4d::bad', codes: ['127.0.0.4'] },
          { zone: 'bl.sandbox.test', subject: '1.2.3.7', codes: ['127.0.0.4'] },
        ],
      },
    ]);
    const zones = dataOf<{ zone: string; selfTest: { outcome: string } }[]>(await api().get('/v1/blacklist-zones'));
    expect(zones.map(({ zone, selfTest }) => [zone, selfTest.outcome])).toEqual([
      ['dbl.sandbox.test', 'works'],
      ['bl.sandbox.test', 'works'],
      ['bl.sandbox.test', 'works'],
      ['broken-bl.sandbox.test', 'broken'],
      ['empty-bl.sandbox.test', 'broken'],
      ['refusing-bl.sandbox.test', 'refused'],
    ]);
  });
});
