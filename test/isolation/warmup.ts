import { type Platform, type SeededWorkspace } from '../harness';
import { seededMailbox } from '../mailboxes/sandbox';
import { exchanged } from '../warmup/warmups';

/** Another mailbox, which warms up and has written to this one. @returns its id */
export async function makeWarmup(
  platform: Platform,
  { workspaceId, key }: SeededWorkspace,
  mailboxId: string,
): Promise<string> {
  const { _id } = await seededMailbox(platform, workspaceId);
  await platform.api.as(key).post(`/v1/warmup/${_id}/start`).expect(200);
  const [warming, mailbox] = [_id, mailboxId].map((id) => ({ workspaceId, mailboxId: id }));
  for (const at of [1, 2]) await exchanged(platform, warming!, mailbox!, { at: new Date(at) });
  return _id;
}
