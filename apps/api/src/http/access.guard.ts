import { type CanActivate, type ExecutionContext, ForbiddenException, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type Principal, permits, type WorkspaceScope } from '@domain/access';
import { ApiKeyAuthenticationService } from '@domain/identity';
import { AppError } from '@platform/errors';
import { setContext } from '@platform/observability';
import { type Response } from 'express';
import { ACCESS_RULE, type AccessRule } from './access.decorator';
import { FORM_A_CODES } from './form-a.decorator';
import { type HttpRequest } from './http-request';
import { getPresentedKey } from './key-headers';
import { RateLimitService } from './rate-limit.service';

type KeyRule = Extract<AccessRule, { kind: 'key' }>;

/** Authenticates, limits the rate, resolves the workspace and checks the permission: in this order, for every route. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly keys: ApiKeyAuthenticationService,
    private readonly rateLimits: RateLimitService,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<HttpRequest>();
    const targets = [context.getHandler(), context.getClass()];
    request.formACodes = this.reflector.getAllAndOverride<readonly string[] | undefined>(FORM_A_CODES, targets) ?? [];
    const rule = this.reflector.getAllAndOverride<AccessRule | undefined>(ACCESS_RULE, targets);
    if (!rule) throw new Error(`${context.getClass().name}.${context.getHandler().name} declares no access rule`);

    const response = http.getResponse<Response>();
    const principal = await this.#authenticate(request, rule).catch(async (refused: unknown) => {
      // Guessing keys is limited by address.
      await this.rateLimits.consume(null, request, response);
      throw refused;
    });
    request.principal = principal;
    setContext(principal ? { keyId: principal.keyId, ...(principal.userId ? { userId: principal.userId } : {}) } : {});
    if (rule.kind !== 'public') await this.rateLimits.consume(principal, request, response);
    else if (rule.rateLimited) await this.rateLimits.consume(principal, request, response, rule);
    if (principal && rule.kind === 'key') await this.#enter(request, principal, rule);
    if (principal && rule.kind === 'operator') await this.#enterAsOperator(request, principal);
    return true;
  }

  async #authenticate(request: HttpRequest, rule: AccessRule): Promise<Principal | null> {
    const key = getPresentedKey(request, rule.kind === 'key' && rule.bearer);
    if (rule.kind === 'public' && key === undefined) return null;
    return this.keys.authenticate(key);
  }

  async #enter(request: HttpRequest, principal: Principal, rule: KeyRule): Promise<void> {
    if (rule.workspace === 'none') return requireScope(principal, rule);
    const scope =
      rule.workspace === 'path'
        ? await this.keys.enter(principal, String(request.params['workspaceId']), 'path')
        : await rethrowInFormA(() => this.keys.enter(principal, request.get('x-workspace-id') ?? null, 'header'));
    if (!permits(scope.role, scope.scopes, rule.permission))
      throw new ForbiddenException(missingPermission(rule.permission));
    setScope(request, scope);
  }

  async #enterAsOperator(request: HttpRequest, principal: Principal): Promise<void> {
    if (!principal.operator || !principal.scopes.includes('admin'))
      throw new ForbiddenException(missingPermission('operator'));
    const workspaceId = request.get('x-workspace-id') ?? null;
    setScope(request, await rethrowInFormA(() => this.keys.enterAsOperator(principal, workspaceId)));
  }
}

function setScope(request: HttpRequest, scope: WorkspaceScope): void {
  request.scope = scope;
  setContext({ workspaceId: scope.workspaceId });
}

/** On a route outside any workspace only the scopes of the key apply. */
function requireScope(principal: Principal, { permission }: KeyRule): void {
  const scope = permission === 'owner' ? 'admin' : permission;
  if (!principal.scopes.includes(scope)) throw new ForbiddenException(missingPermission(permission));
}

function missingPermission(permission: string): string {
  return `This key is missing the permission: ${permission}`;
}

/** Errors about the workspace header come from the HTTP layer, which answers in Form A. */
async function rethrowInFormA<T>(enter: () => Promise<T>): Promise<T> {
  try {
    return await enter();
  } catch (error) {
    const refused = error instanceof AppError && (error.type.kind === 'forbidden' || error.type.kind === 'not-found');
    throw refused ? new ForbiddenException(error.message) : error;
  }
}
