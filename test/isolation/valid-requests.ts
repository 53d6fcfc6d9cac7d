import { DEEP } from '@testing';
import { plausibleQuestion } from './asking';
import { type Answer } from './caller';
import { each, type IsolationEnvironment } from './isolation-environment';
import { type Route } from './routes';
import { createIsolationFixture, type IsolationFixture } from './isolation-fixture';

const REPLAYED = 'idempotent-replayed';

/** Reads of records that other requests change; all others use a shared workspace. */
export const READ_UNTOUCHED: ReadonlySet<string> = new Set(['GET /v1/integrations/slack/channels']);

/** 2xx, with a file or the requested data. */
export function expectSuccess(route: Route, { status, body, text }: Answer): void {
  expect({ status: Math.floor(status / 100), body: body ?? text }).toEqual({
    status: 2,
    body: route.isFile ? (expect.anything() as unknown) : (expect.objectContaining({ success: true }) as unknown),
  });
}

/** Valid requests to every route that changes data, each with new records. */
export function describeValidRequests(environment: () => IsolationEnvironment): void {
  it('answers 2xx to a valid request, and repeats the response for its Idempotency-Key, in this workspace only', async () => {
    const { platform, outside, guarded, mine } = environment();
    // One person owns both: the caller is the same, and only the workspace differs.
    const fresh = () => createIsolationFixture(platform, outside, mine.owner);
    let fixture = await fresh();
    const ordered = guarded
      .filter(({ method, label }) => method !== 'get' || READ_UNTOUCHED.has(label))
      .toSorted((one, other) => destruction(one) - destruction(other));
    await each(ordered, async (route, index) => {
      let tried = await tryRoute(environment(), route, fixture, `right-${index}`);
      if (tried.answer.status >= 300) {
        // An earlier route may have removed a record that this one needs: a new fixture decides.
        fixture = await fresh();
        tried = await tryRoute(environment(), route, fixture, `right-${index}-again`);
      }
      const { answer } = tried;
      expectSuccess(route, answer);
      await tried.expectOwnAnswers?.(DEEP || index % 3 === 0);
    });
  });
}

/** No agent reply waits in an answered conversation; a mailbox may get a limit that a test email reaches. */
const BEFORE_CHANGES =
  /\/(warmup\/\{mailboxId\}\/start|draft|replay|redeliver|test|test-email|simulate|agents\/replies\/.+)$/;

/** Order: reads before deletions, changes before requests that would prevent them, deletions last. */
function destruction({ method, template }: Route): number {
  if (method === 'get') return 0;
  if (method === 'delete' && template.endsWith('/clay')) return 1; // a later request may replace the tool
  if (method === 'delete') return template === '/v1/workspaces/{workspaceId}' ? 5 : 4;
  if (/\/(cancel|archive|stop|revoke|rotate)$/.test(template)) return 3;
  return BEFORE_CHANGES.test(template) ? 1 : 2;
}

interface Tried {
  answer: Answer;
  /** Whether the route honours an Idempotency-Key of a workspace. */
  expectOwnAnswers?: (alsoElsewhere: boolean) => Promise<void>;
}

async function tryRoute(
  environment: IsolationEnvironment,
  route: Route,
  fixture: IsolationFixture,
  idempotencyKey: string,
): Promise<Tried> {
  const { caller, mine } = environment;
  const key = environment.keyFor(route, fixture);
  if (route.method !== 'post' || route.workspace === 'none')
    return { answer: await environment.ask(route, fixture, { key }) };
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
