import { HookRegistry } from '@platform/hooks';
import { addListener } from '@testing';
import { MAILBOX_HOOKS, type UsingCampaign } from '@domain/mailboxes';
import { getConnectionToken } from '@nestjs/mongoose';
import { type Connection } from 'mongoose';
import { readContent, expectFormA, expectFormB, type Platform, type SeededWorkspace, startPlatform } from '../harness';
import { auditedActions, dataOf, MALFORMED_IDS, UNKNOWN_ID } from '../workspaces/people';
import { connected, newAddress, seededMailbox } from './sandbox';

describe('DELETE /v1/mailboxes/:mailboxId', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  let mailbox: { _id: string; email: string };
  let using: UsingCampaign[] = [];

  beforeAll(async () => {
    platform = await startPlatform({ worker: true });
    const listener = { activeCampaigns: () => Promise.resolve(using) };
    addListener(platform.app.get(HookRegistry, { strict: false }), MAILBOX_HOOKS, listener);
    workspace = await platform.seed.workspace();
  });
  beforeEach(async () => {
    using = [];
    mailbox = await seededMailbox(platform, workspace.workspaceId);
  });
  afterAll(() => platform.close());

  const remove = (query = '', id = mailbox._id, key = workspace.key) =>
    platform.api.as(key).delete(`/v1/mailboxes/${id}${query}`);
  const cleared = async () => {
    await platform.tick();
    await platform.drain();
  };
  const get = () => platform.api.as(workspace.key).get(`/v1/mailboxes/${mailbox._id}`);

  it('deletes it with its credentials and figures, and frees its address', async () => {
    mailbox = await connected(platform, workspace);
    const test = `/v1/mailboxes/${mailbox._id}/test`;
    await platform.api
      .as(workspace.key)
      .post(test)
      .send({ sendTo: newAddress('receiver') })
      .expect(200);
    expect(dataOf(await remove().expect(200))).toEqual({ message: 'Mailbox deleted' });
    expectFormB(await get(), 404, 'NOT_FOUND');
    expectFormB(await remove(), 404, 'NOT_FOUND');
    await cleared();
    platform.clock.advance(2 * 3_600_000);
    await cleared();
    const content = await readContent(platform.app.get<Connection>(getConnectionToken()).db!);
    const left = Object.entries(content).filter(([, documents]) => JSON.stringify(documents).includes(mailbox._id));
    expect(left.map(([name]) => name)).toEqual(['audit_entries', 'events']);
    expect(await auditedActions(platform, workspace)).toContain('mailbox.deleted');
    await connected(platform, workspace, { email: mailbox.email });
  });

  it('is refused while active campaigns use it, which it names, unless it is forced', async () => {
    using = [{ id: 'c1', name: 'Autumn' }];
    for (const query of ['', '?force=false']) {
      const response = await remove(query);
      expectFormB(response, 409, 'CONFLICT');
      expect(response.text).toContain('Autumn');
    }
    await get().expect(200);
    await remove('?force=true').expect(200);
    expectFormB(await get(), 404, 'NOT_FOUND');
  });

  it('refuses a force that is neither true nor false', async () => {
    for (const query of ['?force=1', '?force=', '?force=TRUE', '?force=true&force=true', '?force[]=true']) {
      expect({ query, status: (await remove(query)).status }).toEqual({ query, status: 400 });
    }
    await get().expect(200);
  });

  it('answers 404 Form B to an unknown id, and 403 to a read-only key', async () => {
    for (const id of [UNKNOWN_ID, ...MALFORMED_IDS]) expectFormB(await remove('', id), 404, 'NOT_FOUND');
    const readOnly = await platform.seed.workspaceKey(workspace.workspaceId, ['read']);
    expectFormA(await remove('', mailbox._id, readOnly), 403, 'permission');
    await get().expect(200);
  });
});
