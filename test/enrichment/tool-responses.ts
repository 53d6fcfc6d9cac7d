export interface Tool {
  enabled: boolean;
  host: string;
  hasAuthToken: boolean;
  hasSigningSecret: boolean;
  mapping: Record<string, string>;
  overwrite: boolean;
  waitHours: number;
  createdAt: string;
  updatedAt: string;
}

export interface Job {
  id: string;
  status: string;
  metadata: {
    totalItems: number;
    processedItems: number;
    successCount: number;
    failedCount: number;
    creditsUsed: number;
  };
  error: { code: string; message: string } | null;
}

export interface Result {
  email: string;
  leadId: string | null;
  result: string;
  reasons: string[];
  creditsUsed: number;
  detail: { fields?: { name: string; value?: string; outcome: string; reason?: string }[]; omitted?: number };
}
export type Row = Readonly<Record<string, string>>;
