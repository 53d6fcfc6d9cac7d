import { randomBytes } from 'node:crypto';
import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { controllers } from '../../apps/api/src/controllers';
import { ACCESS_RULE, type AccessRule } from '../../apps/api/src/http/access.decorator';
import { DEEP, rounds } from '@testing';
import { expectFormA } from '../harness';
import { type Call } from './asking';
import { dealt, each, type IsolationEnvironment, STRANGE_IDS, UNKNOWN_ID } from './isolation-environment';

/** Handlers that need a key, from the metadata of the controllers. */
function guardedHandlers(): string[] {
  return controllers.flatMap((controller) =>
    Object.getOwnPropertyNames(controller.prototype).flatMap((name) => {
      const handler = (controller.prototype as Record<string, object>)[name]!;
      if (typeof handler !== 'function' || !Reflect.hasMetadata(METHOD_METADATA, handler)) return [];
      const rule = (Reflect.getMetadata(ACCESS_RULE, handler) ?? Reflect.getMetadata(ACCESS_RULE, controller)) as
        | AccessRule
        | undefined;
      const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as number];
      return rule?.kind === 'public' ? [] : [`${method} ${controller.name}.${name}`];
    }),
  );
}

/** Refusals without side effects for unauthorised callers. */
export function describeAccess(environment: () => IsolationEnvironment): void {
  it('is in the OpenAPI document from which these tests are generated', () => {
    expect(environment().guarded).toHaveLength(guardedHandlers().length);
  });

  it('answers 401 Form A, byte for byte the same, to a key that is missing, unknown, revoked, malformed or in another header', async () => {
    const { guarded, theirs } = environment();
    const random = randomBytes(32).toString('hex');
    const wrong: Call[] = [
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
    await each(guarded, async (route, index) => {
      for (const call of DEEP ? [{}, ...dealt(wrong, 2, index)] : dealt([{}, ...wrong], 1, index)) {
        const answer = await environment().ask(route, theirs, call);
        expectFormA(answer, 401);
        answers.add(answer.text);
      }
    });
    expect(answers.size).toBe(1);
  });

  it('answers 401 to a wrong key also on public routes', async () => {
    const { routes, theirs } = environment();
    const open = routes.filter(({ permission }) => permission === 'public');
    await each(open, async (route) => {
      for (const key of ['x', theirs.revokedKey]) expectFormA(await environment().ask(route, theirs, { key }), 401);
    });
  });

  it('answers 403 Form A to a key of another workspace, wherever the request names the workspace', async () => {
    const { guarded, theirs, mine } = environment();
    const named = guarded.filter(({ workspace }) => workspace !== 'none');
    const others = [mine.key, mine.member.key, mine.readOnly.workspaceKey];
    const keys = (index: number) =>
      DEEP ? [mine.owner.key, ...dealt(others, 1, index)] : dealt([mine.owner.key, ...others], 1, index);
    await each(named, async (route, index) => {
      for (const key of keys(index)) {
        expectFormA(await environment().ask(route, theirs, { key }), 403);
      }
    });
  });

  it('answers the same 403 Form A to another, an unknown and a malformed workspace in X-Workspace-Id', async () => {
    const { guarded, mine, theirs } = environment();
    const byHeader = guarded.filter(({ workspace }) => workspace === 'header');
    const strange = ['x', '%00', 'a'.repeat(5000), '{"$ne":null}', '[object Object]'];
    const named = [theirs.workspaceId, UNKNOWN_ID];
    const keys = [mine.owner.key, mine.key];
    /** By caller, and by whether only operators have access. */
    const answers = new Map<string, Set<string>>();
    await each(byHeader, async (route, index) => {
      const asked = DEEP ? [...named, ...dealt(strange, 1, index)] : dealt([...named, ...strange], 1, index);
      for (const workspaceId of asked) {
        const key = keys[index % keys.length]!;
        const answer = await environment().ask(route, mine, { key, headers: { 'X-Workspace-Id': workspaceId } });
        expectFormA(answer, 403);
        const among = `${key} ${route.permission === 'operator'}`;
        answers.set(among, (answers.get(among) ?? new Set()).add(answer.text));
      }
    });
    expect(answers.size).toBeGreaterThanOrEqual(keys.length);
    expect([...answers.values()].map((texts) => [...texts]).filter(({ length }) => length !== 1)).toEqual([]);
  });

  it('answers 404 Form A to an unknown or malformed workspace in the path, with any key', async () => {
    const { guarded, mine } = environment();
    const byPath = guarded.filter(({ workspace }) => workspace === 'path');
    const answers = new Set<string>();
    await each(byPath, async (route, index) => {
      for (const workspaceId of [UNKNOWN_ID, ...dealt(STRANGE_IDS, rounds(3, 1), index)]) {
        for (const key of DEEP ? [mine.owner.key, mine.key] : dealt([mine.owner.key, mine.key], 1, index)) {
          const answer = await environment().ask(route, mine, { key, workspaceId });
          expectFormA(answer, 404);
          answers.add(answer.text);
        }
      }
    });
    expect(answers.size).toBe(1);
  });

  it('answers 403 Form A to a key with the scope read, unless the route only reads', async () => {
    const { guarded, theirs } = environment();
    const changing = guarded.filter(({ permission }) => permission !== 'read');
    await each(changing, async (route, index) => {
      for (const key of dealt([theirs.readOnly.workspaceKey, theirs.readOnly.userKey], rounds(2, 1), index)) {
        expectFormA(await environment().ask(route, theirs, { key }), 403, 'permission');
      }
    });
  });

  it('answers 403 Form A to a member if the route needs an admin, and to an admin if it needs the owner', async () => {
    const { guarded, theirs } = environment();
    const inWorkspace = guarded.filter(({ workspace }) => workspace !== 'none');
    const forAdmins = inWorkspace.filter(({ permission }) => ['admin', 'owner', 'operator'].includes(permission));
    await each(forAdmins, async (route) => {
      expectFormA(await environment().ask(route, theirs, { key: theirs.member.key }), 403, 'permission');
    });
    const forOwners = inWorkspace.filter(({ permission }) => ['owner', 'operator'].includes(permission));
    await each(forOwners, async (route) => {
      for (const key of [theirs.admin.key, theirs.key]) {
        expectFormA(await environment().ask(route, theirs, { key }), 403, 'permission');
      }
    });
  });
}
