import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension, ApiHeader, ApiSecurity } from '@nestjs/swagger';
import { type Permission } from '@domain/access';

/** What a route asks of a request. Every route declares one; the architecture test walks them all. */
export type AccessRule =
  | { kind: 'public'; rateLimited: boolean; fromMachines: boolean }
  | { kind: 'operator' }
  | {
      kind: 'key';
      permission: Permission;
      /** Where the workspace is named: the header (or the key's own), the route's `:workspaceId`, or nowhere. */
      workspace: 'header' | 'path' | 'none';
      /** Also requires `Authorization: Bearer` with the same key. */
      bearer: boolean;
    };

export const ACCESS_RULE = 'accessRule';

/** The route needs a key with this permission in the workspace. */
export function Access(
  permission: Permission,
  options: { workspace?: 'path' | 'none'; bearer?: true } = {},
): MethodDecorator & ClassDecorator {
  const rule: AccessRule = {
    kind: 'key',
    permission,
    workspace: options.workspace ?? 'header',
    bearer: options.bearer ?? false,
  };
  return applyDecorators(
    SetMetadata(ACCESS_RULE, rule),
    // In one requirement: both headers are asked for. Two would mean that either will do.
    ApiSecurity(rule.bearer ? { apiKey: [], bearer: [] } : 'apiKey'),
    ApiExtension('x-permission', permission),
    ...(rule.workspace === 'header' ? [workspaceHeader()] : []),
  );
}

/** The route is for platform keys of users who operate the installation; `X-Workspace-Id` names any workspace. */
export function OperatorOnly(): MethodDecorator & ClassDecorator {
  return applyDecorators(
    SetMetadata(ACCESS_RULE, { kind: 'operator' } satisfies AccessRule),
    ApiSecurity('apiKey'),
    ApiExtension('x-permission', 'operator'),
    workspaceHeader(),
  );
}

/**
 * The route needs no key. A key that is sent all the same must be valid. Probes of load balancers are not counted, and requests of
 * machines that work for many workspaces from one address have a larger count of their own (`RateLimitService`).
 */
export function Public(
  options: { rateLimited?: boolean; fromMachines?: boolean } = {},
): MethodDecorator & ClassDecorator {
  const { rateLimited = true, fromMachines = false } = options;
  const rule: AccessRule = { kind: 'public', rateLimited, fromMachines };
  return applyDecorators(SetMetadata(ACCESS_RULE, rule), ApiExtension('x-permission', 'public'));
}

function workspaceHeader() {
  return ApiHeader({
    name: 'X-Workspace-Id',
    required: false,
    description: "Workspace to act in, for platform keys; without it the user's default workspace.",
  });
}
