export { defineHook, type HookPoint, listHookPoints, Listens } from './hook-point';
export { HookRegistry } from './hook.registry';
export { HooksModule } from './hooks.module';
export { listListeningProviders } from './listening-provider';
