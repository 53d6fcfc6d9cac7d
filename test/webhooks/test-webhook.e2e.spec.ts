import { EVENT_TYPES } from '@domain/events';
import { accepts, answers, hangs, TestReceiver } from '../../libs/domain/webhooks/testing';
import { readContent, expectFormA, expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { dataOf, ISO, MALFORMED_IDS, newMember, UNKNOWN_ID } from '../workspaces/people';
import { getConnectionToken } from '@nestjs/mongoose';
import { type Connection } from 'mongoose';
import { Hook, NOWHERE } from './webhooks';

interface Tested {
  delivered: boolean;
  status: number | null;
  durationMs: number;
  error: { code: string; message: string } | null;
  response: string;
  truncated: boolean;
}

describe('POST /v1/webhooks/:webhookId/test', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  let receiver: TestReceiver;
  let hook: Hook;

  beforeAll(async () => {
    platform = await sharedPlatform();
    receiver = await TestReceiver.start();
  });
  beforeEach(async () => {
    receiver.received.length = 0;
    receiver.answer = accepts;
    workspace = await platform.seed.workspace();
    hook = await Hook.make(platform, workspace, { url: receiver.url, events: EVENT_TYPES, timeoutMs: 30_000 });
  });
  afterAll(async () => {
    await platform.close();
    await receiver.close();
  });

  const post = (body: object = {}) => hook.api.post(`${hook.path}/test`).send(body);
  const test = async (body: object = {}) => dataOf<Tested>(await post(body).expect(200));
  const DURATION = expect.any(Number) as unknown as number;

  it('sends a signed message of the first of its events, and shows the receiver’s response', async () => {
    receiver.answer = answers(201, {}, 'thank you');
    expect(await test()).toEqual({
      delivered: true,
      status: 201,
      durationMs: DURATION,
      error: null,
      response: 'thank you',
      truncated: false,
    });
    const [received] = receiver.received;
    expect(JSON.parse(received!.body)).toEqual({
      id: received!.id,
      type: EVENT_TYPES[0],
      timestamp: ISO,
      workspaceId: workspace.workspaceId,
      data: expect.any(Object) as unknown,
    });
    expect(received!.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/) as unknown,
      'webhook-signature': expect.stringMatching(/^v1,/) as unknown,
    });
  });

  it('sends any subscribed type, each under an id of its own', async () => {
    for (const event of EVENT_TYPES) expect(await test({ event })).toMatchObject({ delivered: true });
    expect(receiver.received.map(({ body }) => (JSON.parse(body) as { type: string }).type)).toEqual(EVENT_TYPES);
    expect(new Set(receiver.ids).size).toBe(EVENT_TYPES.length);
  });

  it('refuses a type without a subscription, and an unknown type', async () => {
    await hook.update({ events: ['email.replied'] });
    expectFormB(await post({ event: 'email.sent' }), 400, 'VALIDATION_ERROR', 'event');
    expectFormB(await post({ event: 'email.forwarded' }), 400, 'VALIDATION_ERROR', 'event');
    expectFormB(await post({ url: 'https://example.com/' }), 400, 'VALIDATION_ERROR', 'url');
    expect(receiver.received).toEqual([]);
    expect(await test({ event: 'email.replied' })).toMatchObject({ delivered: true });
  });

  it('shows a rejection, with the beginning of the response', async () => {
    receiver.answer = answers(500, {}, 'x'.repeat(30_000));
    const tested = await test();
    expect(tested).toMatchObject({ delivered: false, status: 500, error: { code: 'status' }, truncated: true });
    expect(tested.response).toBe('x'.repeat(20_000));
  });

  it('follows no redirect', async () => {
    receiver.answer = answers(302, { location: receiver.url });
    expect(await test()).toMatchObject({ delivered: false, status: 302, error: { code: 'status' } });
    expect(receiver.received).toHaveLength(1);
  });

  it('uses the timeout of the webhook', async () => {
    receiver.answer = hangs;
    await hook.update({ timeoutMs: 1_000 });
    expect(await test()).toMatchObject({ delivered: false, status: null, error: { code: 'timeout' }, response: '' });
  });

  it('reports an unreachable receiver', async () => {
    await hook.update({ url: NOWHERE });
    expect(await test()).toMatchObject({ delivered: false, status: null, error: { code: 'connect' } });
  });

  it('works for an inactive webhook, and changes nothing but the log of deliveries', async () => {
    receiver.answer = answers(410);
    await hook.update({ status: 'inactive' });
    const { db } = platform.app.get<Connection>(getConnectionToken());
    const before = await readContent(db!);
    expect(await test()).toMatchObject({ delivered: false, status: 410 });
    const { user_keys: _userKeys, workspace_keys: _keys, ...after } = await readContent(db!);
    const { user_keys: _userKeysBefore, workspace_keys: _keysBefore, ...same } = before;
    expect(after).toEqual(same);
    receiver.answer = accepts;
    await hook.update({ status: 'active' });
    receiver.answer = answers(410);
    await test();
    expect(await hook.health()).toMatchObject({ status: 'active', failingSince: null, lastError: null });
  });

  it('answers 404 Form A to an unknown and a malformed id, and 403 to an unauthorised key', async () => {
    for (const id of [UNKNOWN_ID, ...MALFORMED_IDS]) {
      expectFormA(await hook.api.post(`/v1/webhooks/${id}/test`).send({}), 404);
    }
    const member = await newMember(platform, workspace);
    const asMember = platform.api.as(member.key).in(workspace.workspaceId);
    expectFormA(await asMember.post(`${hook.path}/test`).send({}), 403, 'permission');
    expect(receiver.received).toEqual([]);
  });
});
