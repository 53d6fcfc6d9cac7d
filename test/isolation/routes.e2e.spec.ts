import { randomBytes } from 'node:crypto';
import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { type Response } from 'supertest';
import { controllers } from '../../apps/api/src/controllers';
import { ACCESS_RULE, type AccessRule } from '../../apps/api/src/http/access.decorator';
import { expectFormA, type Platform, startPlatform } from '../harness';
import { Outside } from './outside';
import { describedRoutes, type Route } from './routes';
import { dump, leaked, makeWorld, plausibleRequest, type World } from './world';

const UNKNOWN_ID = '0123456789abcdef01234567';
const STRANGE_IDS = ['x', '%00', '0'.repeat(24), 'a'.repeat(5000), '..%2Fx', '%5Bobject%20Object%5D', 'undefined'];

/** Handlers that need a key, by the metadata of the controllers. */
function guardedHandlers(): string[] {
  return controllers.flatMap((controller) =>
    Object.getOwnPropertyNames(controller.prototype).flatMap((name) => {
      const handler = (controller.prototype as Record<string, object>)[name]!;
      if (typeof handler !== 'function' || !Reflect.hasMetadata(METHOD_METADATA, handler)) return [];
      const rule = (Reflect.getMetadata(ACCESS_RULE, handler) ?? Reflect.getMetadata(ACCESS_RULE, controller)) as
        AccessRule | undefined;
      const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as number];
      return rule?.kind === 'public' ? [] : [`${method} ${controller.name}.${name}`];
    }),
  );
}

// Each test asks every route, so that its time grows with their number.

describe('every route that needs a key', () => {
  let outside: Outside;
  let platform: Platform;
  let routes: Route[];
  let guarded: Route[];
  /** Whose data are at stake. */
  let theirs: World;
  /** Who tries. */
  let mine: World;
  let before: Record<string, unknown[]>;

  beforeAll(async () => {
    outside = await Outside.start();
    platform = await startPlatform({ env: outside.env });
    routes = await describedRoutes(platform.api, outside.bodies);
    guarded = routes.filter(({ permission }) => permission !== 'public');
    theirs = await makeWorld(platform);
    mine = await makeWorld(platform);
    before = await dump(platform);
  });
  afterAll(async () => {
    await platform.close();
    await outside.close();
  });

  const call = (route: Route, world: World, options: Parameters<typeof plausibleRequest>[3]) =>
    plausibleRequest(platform, route, world, options);

  /** Asks every route and collects those that did not answer as they should: one failing test names all of them. */
  async function each(some: readonly Route[], check: (route: Route) => Promise<void>): Promise<void> {
    expect(some.length).toBeGreaterThan(0);
    const failures: string[] = [];
    for (const route of some) {
      await check(route).catch((error: unknown) => failures.push(`${route.label}: ${String(error)}`));
    }
    expect(failures.join('\n\n')).toBe('');
  }

  it('is in the document from which these tests read', () => {
    expect(guarded).toHaveLength(guardedHandlers().length);
  });

  it('answers 401 Form A, the very same, to a key that is missing, unknown, revoked, malformed or in another header', async () => {
    const random = randomBytes(32).toString('hex');
    const wrong: Parameters<typeof call>[2][] = [
      {},
      ...[`sk_${random}`, `sk_user_${random}`, theirs.revokedKey, 'x', 'sk_', `${theirs.key} `.repeat(2)].map(
        (key) => ({ key }),
      ),
      { headers: { Authorization: `Bearer ${theirs.owner.key}` } },
      { headers: { 'X-Api-Token': theirs.owner.key } },
      { headers: { Cookie: `X-Api-Key=${theirs.owner.key}` } },
      { query: `apiKey=${theirs.owner.key}` },
      { query: `X-Api-Key=${theirs.owner.key}` },
    ];
    const answers = new Set<string>();
    await each(guarded, async (route) => {
      for (const options of wrong) {
        const response = await call(route, theirs, options);
        expectFormA(response, 401);
        answers.add(JSON.stringify(response.body));
      }
    });
    expect(answers.size).toBe(1);
  });

  it('answers 401 to a wrong key also where none is needed', async () => {
    const open = routes.filter(({ permission }) => permission === 'public');
    await each(open, async (route) => {
      for (const key of ['x', theirs.revokedKey]) expectFormA(await call(route, theirs, { key }), 401);
    });
  });

  it('answers 403 Form A to a key of another workspace, wherever the workspace is named', async () => {
    const named = guarded.filter(({ workspace }) => workspace !== 'none');
    await each(named, async (route) => {
      for (const key of [mine.key, mine.owner.key, mine.member.key, mine.readOnly.workspaceKey]) {
        expectFormA(await call(route, theirs, { key }), 403);
      }
    });
  });

  it('answers 403 Form A to an unknown or malformed workspace in X-Workspace-Id', async () => {
    const byHeader = guarded.filter(({ workspace }) => workspace === 'header');
    await each(byHeader, async (route) => {
      for (const workspaceId of [UNKNOWN_ID, 'x', '%00', 'a'.repeat(5000), '{"$ne":null}', '[object Object]']) {
        const headers = { 'X-Workspace-Id': workspaceId };
        expectFormA(await call(route, mine, { key: mine.owner.key, headers }), 403);
        expectFormA(await call(route, mine, { key: mine.key, headers }), 403);
      }
    });
  });

  it('answers 404 Form A to an unknown or malformed workspace in the path, whatever the key', async () => {
    const byPath = guarded.filter(({ workspace }) => workspace === 'path');
    await each(byPath, async (route) => {
      const answers = new Set<string>();
      for (const workspaceId of [UNKNOWN_ID, ...STRANGE_IDS]) {
        for (const key of [mine.owner.key, mine.key]) {
          const response = await call(route, mine, { key, workspaceId });
          expectFormA(response, 404);
          answers.add(JSON.stringify(response.body));
        }
      }
      expect(answers.size).toBe(1);
    });
  });

  it('answers the same 404 to an id of another workspace, an unknown and a malformed one', async () => {
    const withIds = guarded.filter(({ ids }) => ids.length > 0);
    await each(withIds, async (route) => {
      for (const parameter of route.ids) {
        const answers: Pick<Response, 'status' | 'body'>[] = [];
        for (const id of [theirs.id(route, parameter), UNKNOWN_ID, ...STRANGE_IDS]) {
          const { status, body } = await call(route, mine, { key: mine.owner.key, ids: { [parameter]: id } });
          answers.push({ status, body: body as unknown });
        }
        expect(answers[0]!.status).toBe(404);
        for (const answer of answers) expect(answer).toEqual(answers[0]);
      }
    });
  });

  it('answers 403 Form A to a key with the scope read, unless it only reads', async () => {
    const changing = guarded.filter(({ permission }) => permission !== 'read');
    await each(changing, async (route) => {
      for (const key of [theirs.readOnly.workspaceKey, theirs.readOnly.userKey]) {
        expectFormA(await call(route, theirs, { key }), 403, 'permission');
      }
    });
  });

  it('answers 403 Form A to a member where an admin is asked for, and to an admin where the owner is', async () => {
    const inWorkspace = guarded.filter(({ workspace }) => workspace !== 'none');
    const forAdmins = inWorkspace.filter(({ permission }) => ['admin', 'owner', 'operator'].includes(permission));
    await each(forAdmins, async (route) => {
      expectFormA(await call(route, theirs, { key: theirs.member.key }), 403, 'permission');
    });
    const forOwners = inWorkspace.filter(({ permission }) => ['owner', 'operator'].includes(permission));
    await each(forOwners, async (route) => {
      for (const key of [theirs.admin.key, theirs.key]) {
        expectFormA(await call(route, theirs, { key }), 403, 'permission');
      }
    });
  });

  it('changed nothing by all of that, and logged no key and no token', async () => {
    expect(await dump(platform)).toEqual(before);
    expect(platform.logged()).toContain('"status":401');
    expect(leaked(platform.logged(), [...theirs.secrets, ...mine.secrets])).toEqual([]);
  });

  it('answers 2xx when it is asked rightly, so that the refusals above are for their reason', async () => {
    const operator = await platform.seed.person({ operator: true });
    const onlyRead = await makeWorld(platform, outside);
    let changed = await makeWorld(platform);
    const ask = (route: Route, world: World) =>
      call(route, world, { key: route.permission === 'operator' ? operator.key : world.owner.key });
    await each(guarded, async (route) => {
      let response = await ask(route, route.method === 'get' ? onlyRead : changed);
      if (route.method !== 'get' && response.status >= 300) {
        // A route before it may have taken away what this one needs: what counts is a world that nobody has touched.
        changed = await makeWorld(platform);
        response = await ask(route, changed);
      }
      expect({ status: Math.floor(response.status / 100), body: response.body as unknown }).toEqual({
        status: 2,
        body: route.isFile ? (expect.anything() as unknown) : (expect.objectContaining({ success: true }) as unknown),
      });
    });
  });
});
