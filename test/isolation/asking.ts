import { type Question } from './caller';
import { NO_IDS, type Route } from './routes';
import { FILE } from './imports';
import { type IsolationFixture } from './isolation-fixture';

export interface Call {
  key?: string | undefined;
  /** Named in the path or in X-Workspace-Id, wherever the route reads it. */
  workspaceId?: string | undefined;
  /** Values of the other path parameters; by default those of the fixture. */
  ids?: Record<string, string> | undefined;
  query?: string | undefined;
  headers?: Record<string, string> | undefined;
  /** JSON, or the content of a file. */
  body?: string | Buffer | undefined;
}

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** The route with its parameters, and without a body unless one is given. */
export function question(route: Route, fixture: IsolationFixture, call: Call): Question {
  const workspaceId = call.workspaceId ?? fixture.workspaceId;
  const path = route.template.replaceAll(/\{(\w+)\}/g, (_match, name: string) =>
    name === 'workspaceId' ? workspaceId : (call.ids?.[name] ?? NO_IDS[name] ?? fixture.id(route, name)),
  );
  const headers: Record<string, string> = {
    ...(call.body !== undefined && JSON_TYPE),
    ...(call.key !== undefined && { 'X-Api-Key': call.key }),
    ...(call.key !== undefined && route.bearer && { Authorization: `Bearer ${call.key}` }),
    ...(route.workspace === 'header' && { 'X-Workspace-Id': workspaceId }),
    ...call.headers,
  };
  const body = call.body === undefined ? {} : { body: call.body };
  return { method: route.method, path: call.query ? `${path}?${call.query}` : path, headers, ...body };
}

/** The same with a valid body, if the route has one. @param origin of the API under test */
export function plausibleQuestion(route: Route, fixture: IsolationFixture, call: Call, origin: string): Question {
  if (route.upload) {
    return question(route, fixture, {
      ...call,
      headers: { 'Content-Type': route.upload, ...call.headers },
      body: FILE,
    });
  }
  const body = plausibleBody(route, fixture, origin);
  return question(route, fixture, { ...call, ...(body && { body: JSON.stringify(body) }) });
}

/** Names records of this fixture, like the path. */
export function plausibleBody(
  route: Route,
  fixture: IsolationFixture,
  origin: string,
): Record<string, unknown> | undefined {
  if (!route.body) return undefined;
  // A custom host of the workspace has to resolve to the platform under test.
  if (route.template.endsWith('/tracking-host')) return { url: origin };
  const body = route.body.plausible();
  const mailboxId = fixture.id(route, 'mailboxId');
  const conversationId = fixture.id(route, 'conversationId');
  return {
    ...body,
    ...('mailboxId' in body && { mailboxId }),
    ...('conversationId' in body && { conversationId }),
    ...('mailboxIds' in body && { mailboxIds: [mailboxId] }),
  };
}
