import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import ipaddr from 'ipaddr.js';

/** A DNS server on this machine. */
export interface NameServer {
  /** Address and port. */
  readonly address: string;
  /** The names of all queries. */
  readonly asked: string[];
  close(): void;
}

/** Types of records (RFC 1035 section 3.2.2, RFC 3596). */
const TYPES: Readonly<Record<number, 'ipv4' | 'ipv6'>> = { 1: 'ipv4', 28: 'ipv6' };

/** Starts a server that knows the addresses of some names. It does not respond to queries for others. */
export async function startNameServer(names: Readonly<Record<string, readonly string[]>>): Promise<NameServer> {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, type, question } = questionIn(query);
    asked.push(name);
    const found = names[name]?.map((each) => ipaddr.parse(each)).filter((each) => each.kind() === TYPES[type]);
    if (!found) return;
    const header = Buffer.from([query[0] ?? 0, query[1] ?? 0, 0x81, 0x80, 0, 1, 0, found.length, 0, 0, 0, 0]);
    const answers = found.map((each) => {
      const bytes = each.toByteArray();
      // A pointer to the name in the question, its type, the class IN, 60 seconds, and the address.
      return Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length, ...bytes]);
    });
    socket.send(Buffer.concat([header, question, ...answers]), port, address);
  });
  await once(socket.bind(0, '127.0.0.1'), 'listening');
  return { address: `127.0.0.1:${socket.address().port}`, asked, close: () => socket.close() };
}

/** Parses the first question of a query (RFC 1035 section 4.1.2). It starts after the header of 12 bytes. */
function questionIn(query: Buffer): { readonly name: string; readonly type: number; readonly question: Buffer } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return {
    name: labels.join('.').toLowerCase(),
    type: query.readUInt16BE(at + 1),
    question: query.subarray(12, at + 5),
  };
}
