import { type Principal, type WorkspaceScope } from '@domain/access';
import { type Request } from 'express';

/** What the guards leave on a request for those who come after. */
export interface HttpRequest extends Request {
  requestId: string;
  principal?: Principal | null;
  scope?: WorkspaceScope;
  /** What is known of an upload before it is read: its length, and how it is to be read. */
  uploadMark?: object;
  /** Codes that this route answers in Form A; set as soon as the route is known. */
  formACodes?: readonly string[];
}
