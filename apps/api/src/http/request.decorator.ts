import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Principal, type WorkspaceScope } from '@domain/access';
import { type HttpRequest } from './http-request';

/** The workspace and actor of the request. Only on routes whose access rule names a workspace. */
export const Scope = createParamDecorator((_data: unknown, context: ExecutionContext): WorkspaceScope => {
  const { scope } = context.switchToHttp().getRequest<HttpRequest>();
  if (!scope) throw new Error(`${context.getHandler().name} needs a workspace, but its access rule names none`);
  return scope;
});

/** The holder of the key; null on a public route without one. */
export const Caller = createParamDecorator((_data: unknown, context: ExecutionContext): Principal | null => {
  return context.switchToHttp().getRequest<HttpRequest>().principal ?? null;
});
