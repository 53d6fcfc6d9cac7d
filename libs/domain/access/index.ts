export { type Actor, systemActor } from './actor';
export { checkedInput } from './checked-input';
export { type Permission, permits, type Role, ROLES, type KeyScope, KEY_SCOPES } from './permission';
export { type Principal } from './principal';
export { type WorkspaceScope, systemScope } from './workspace-scope';
