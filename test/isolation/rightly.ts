import { DEEP } from '@testing';
import { plausibleQuestion } from './asking';
import { type Answer } from './caller';
import { each, type Ground } from './ground';
import { type Route } from './routes';
import { createIsolationFixture, type IsolationFixture } from './isolation-fixture';

const REPLAYED = 'idempotent-replayed';

/** Reads of what other requests change; all others are asked of a workspace that is in use. */
export const READ_UNTOUCHED: ReadonlySet<string> = new Set(['GET /v1/integrations/slack/channels']);

/** 2xx, with a file or with what was asked for. */
export function expectTaken(route: Route, { status, body, text }: Answer): void {
  expect({ status: Math.floor(status / 100), body: body ?? text }).toEqual({
    status: 2,
    body: route.isFile ? (expect.anything() as unknown) : (expect.objectContaining({ success: true }) as unknown),
  });
}

/** What every route that changes something does for those who may: it changes records of its own. */
export function describeRightly(ground: () => Ground): void {
  it('answers 2xx when it is asked rightly, and its answer again to its Idempotency-Key, in this workspace only', async () => {
    const { platform, outside, guarded, mine } = ground();
    // One person owns both: who asks is the same, and only the workspace tells the requests apart.
    const fresh = () => createIsolationFixture(platform, outside, mine.owner);
    let fixture = await fresh();
    const ordered = guarded
      .filter(({ method, label }) => method !== 'get' || READ_UNTOUCHED.has(label))
      .toSorted((one, other) => destruction(one) - destruction(other));
    await each(ordered, async (route, index) => {
      let tried = await tryRoute(ground(), route, fixture, `right-${index}`);
      if (tried.answer.status >= 300) {
        // A route before it may have taken away what this one needs: what counts is a fixture that nobody has touched.
        fixture = await fresh();
        tried = await tryRoute(ground(), route, fixture, `right-${index}-again`);
      }
      const { answer } = tried;
      expectTaken(route, answer);
      await tried.expectOwnAnswers?.(DEEP || index % 3 === 0);
    });
  });
}

/** A conversation that is answered waits for no agent; a mailbox may get a limit that a test email reaches. */
const BEFORE_CHANGES =
  /\/(warmup\/\{mailboxId\}\/start|draft|replay|redeliver|test|test-email|simulate|agents\/replies\/.+)$/;

/** Reads come before they find nothing, what a change would refuse comes before it, and what is taken away last. */
function destruction({ method, template }: Route): number {
  if (method === 'get') return 0;
  if (method === 'delete' && template.endsWith('/clay')) return 1; // the tool may be another one afterwards
  if (method === 'delete') return template === '/v1/workspaces/{workspaceId}' ? 5 : 4;
  if (/\/(cancel|archive|stop|revoke|rotate)$/.test(template)) return 3;
  return BEFORE_CHANGES.test(template) ? 1 : 2;
}

interface Tried {
  answer: Answer;
  /** Where the route honours an Idempotency-Key of a workspace. */
  expectOwnAnswers?: (alsoElsewhere: boolean) => Promise<void>;
}

async function tryRoute(
  ground: Ground,
  route: Route,
  fixture: IsolationFixture,
  idempotencyKey: string,
): Promise<Tried> {
  const { caller, mine } = ground;
  const key = ground.keyFor(route, fixture);
  if (route.method !== 'post' || route.workspace === 'none')
    return { answer: await ground.ask(route, fixture, { key }) };
  const headers = { 'Idempotency-Key': idempotencyKey };
  const asked = plausibleQuestion(route, fixture, { key, headers }, caller.origin);
  const answer = await caller.ask(asked);
  const expectOwnAnswers = async (alsoElsewhere: boolean): Promise<void> => {
    const again = await caller.ask(asked);
    expect([again.status, again.headers[REPLAYED], again.text]).toEqual([answer.status, 'true', answer.text]);
    if (!alsoElsewhere) return;
    const path = asked.path.replace(fixture.workspaceId, mine.workspaceId);
    const inHeader = { ...asked.headers, ...(route.workspace === 'header' && { 'X-Workspace-Id': mine.workspaceId }) };
    const elsewhere = await caller.ask({ ...asked, path, headers: inHeader });
    expect(elsewhere.headers[REPLAYED]).toBeUndefined();
    expect(elsewhere.text).not.toContain('IDEMPOTENCY_KEY_REUSED');
  };
  return { answer, expectOwnAnswers };
}
