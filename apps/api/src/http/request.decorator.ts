import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Principal, type WorkspaceScope } from '@domain/access';
import { type HttpRequest } from './http-request';

/** The workspace in which the request acts, and as whom. Only on routes that name a workspace. */
export const Scope = createParamDecorator((_data: unknown, context: ExecutionContext): WorkspaceScope => {
  const { scope } = context.switchToHttp().getRequest<HttpRequest>();
  if (!scope) throw new Error(`${context.getHandler().name} asks for a workspace that its access rule does not name`);
  return scope;
});

/** The holder of the key; null on a public route without one. */
export const Caller = createParamDecorator((_data: unknown, context: ExecutionContext): Principal | null => {
  return context.switchToHttp().getRequest<HttpRequest>().principal ?? null;
});
