import { type DynamicModule, Global, Module } from '@nestjs/common';
import { listHookPoints } from './hook-point';
import { HookRegistry, REQUIRED_POINTS } from './hook.registry';

/** Connects hook points with their listeners. Global: each domain may call hooks. */
@Global()
@Module({ providers: [HookRegistry], exports: [HookRegistry] })
export class HooksModule {
  /** For a whole process, which does not start while a declared hook point has no listener. */
  static complete(): DynamicModule {
    return { module: HooksModule, providers: [{ provide: REQUIRED_POINTS, useFactory: listHookPoints }] };
  }
}
