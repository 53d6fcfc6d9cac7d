import { expectFormA, expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { auditedActions, dataOf, UNKNOWN_ID } from '../workspaces/people';
import { connected, type Mailbox } from './sandbox';

describe('POST /v1/mailboxes/:mailboxId/pause and /resume', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  let mailbox: Mailbox;

  beforeAll(async () => {
    platform = await sharedPlatform();
    workspace = await platform.seed.workspace();
    mailbox = await connected(platform, workspace);
  });
  afterAll(() => platform.close());

  const post = (act: string, id = mailbox._id, key = workspace.key) =>
    platform.api.as(key).post(`/v1/mailboxes/${id}/${act}`);

  it('answers the mailbox with its new status, repeats the answer, and audits each change once', async () => {
    const paused = dataOf<Mailbox>(await post('pause').expect(200));
    expect(paused).toEqual({ ...mailbox, status: 'paused', updatedAt: paused['updatedAt'] });
    expect(dataOf(await post('pause').expect(200))).toEqual(paused);
    const resumed = dataOf<Mailbox>(await post('resume').expect(200));
    expect(resumed).toEqual({ ...mailbox, updatedAt: resumed['updatedAt'] });
    expect(dataOf(await post('resume').expect(200))).toEqual(resumed);
    const actions = (await auditedActions(platform, workspace)).filter((action) => action.startsWith('mailbox.'));
    expect(actions).toEqual(['mailbox.resumed', 'mailbox.paused', 'mailbox.created']);
  });

  it('answers 404 Form B to an unknown id, and 403 to a read-only key', async () => {
    const readOnly = await platform.seed.workspaceKey(workspace.workspaceId, ['read']);
    for (const act of ['pause', 'resume']) {
      expectFormB(await post(act, UNKNOWN_ID), 404, 'NOT_FOUND');
      expectFormA(await post(act, mailbox._id, readOnly), 403, 'permission');
    }
  });
});
