export { BootError } from './boot.error';
export { runProcess, type RunningProcess } from './process.runner';
