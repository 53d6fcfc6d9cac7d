import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension, ApiHeader, ApiSecurity } from '@nestjs/swagger';
import { type Permission } from '@domain/access';

/** The access rule of a route. Every route declares one; the architecture test checks it. */
export type AccessRule =
  | { kind: 'public'; rateLimited: boolean; fromMachines: boolean }
  | { kind: 'operator' }
  | {
      kind: 'key';
      permission: Permission;
      /** Source of the workspace: the header (or the default of the key), the route's `:workspaceId`, or none. */
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
    // One requirement with both headers. Two requirements would mean that either suffices.
    ApiSecurity(rule.bearer ? { apiKey: [], bearer: [] } : 'apiKey'),
    ApiExtension('x-permission', permission),
    ...(rule.workspace === 'header' ? [workspaceHeader()] : []),
  );
}

/** The route is for platform keys of operators; `X-Workspace-Id` can name any workspace. */
export function OperatorOnly(): MethodDecorator & ClassDecorator {
  return applyDecorators(
    SetMetadata(ACCESS_RULE, { kind: 'operator' } satisfies AccessRule),
    ApiSecurity('apiKey'),
    ApiExtension('x-permission', 'operator'),
    workspaceHeader(),
  );
}

/**
 * The route needs no key. A key that is sent anyway must be valid. Health probes are not counted; machines that send
 * for many workspaces from one address have a higher limit (`RateLimitService`).
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
    description: 'Workspace of the request, for platform keys. Default: the default workspace of the user.',
  });
}
