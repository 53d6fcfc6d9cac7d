export { BootError } from './boot.errors';
export { runProcess, type RunningProcess } from './process-runner';
