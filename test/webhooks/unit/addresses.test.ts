import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import ipaddr from 'ipaddr.js';
import {
  allowedAddresses,
  checkAddresses,
  dnsResolver,
  isPublicAddress,
} from '../../../functions/webhooks/stream/addresses.ts';

/**
 * Ranges of the IANA registries of special-purpose addresses, and multicast
 * (https://www.iana.org/assignments/iana-ipv4-special-registry,
 * https://www.iana.org/assignments/iana-ipv6-special-registry,
 * https://www.iana.org/assignments/multicast-addresses).
 */
const SPECIAL_RANGES = `
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.0.10/32
  192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15
  198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 255.255.255.255/32 ::/128 ::1/128 ::ffff:0:0/96
  64:ff9b::/96 64:ff9b:1::/48 100::/64 100:0:0:1::/64 2001::/23 2001:1::1/128 2001:2::/48 2001:3::/32
  2001:4:112::/48 2001:10::/28 2001:20::/28 2001:30::/28 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20
  5f00::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8
`
  .trim()
  .split(/\s+/);

/** A DNS server on this machine. */
interface NameServer {
  /** Address and port. */
  readonly address: string;
  /** The names of all queries. */
  readonly asked: string[];
  close(): void;
}

/** Types of records (RFC 1035 section 3.2.2, RFC 3596). */
const TYPES: Readonly<Record<number, 'ipv4' | 'ipv6'>> = { 1: 'ipv4', 28: 'ipv6' };

/** Starts a server that knows the addresses of some names. It does not respond to queries for others. */
async function startNameServer(names: Readonly<Record<string, readonly string[]>>): Promise<NameServer> {
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

/** The first, the last and a middle address of a range. */
function samplesOf(range: string): string[] {
  const [network, bits] = ipaddr.parseCIDR(range);
  const bytes = network.toByteArray();
  const filled = (fill: number) =>
    bytes.map((byte, index) => {
      const fixed = Math.min(8, Math.max(0, bits - index * 8));
      return byte | (fill & (0xff >> fixed));
    });
  return [0, 0x55, 0xff].map((fill) => ipaddr.fromByteArray(filled(fill)).toString());
}

/** Writes an IPv4 address into IPv6 addresses as translation and tunnels do. */
function embeddingsOf(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  const [high, low] = [(a << 8) | b, (c << 8) | d].map((part) => part.toString(16));
  const [inverted, invertedLow] = [((a << 8) | b) ^ 0xffff, ((c << 8) | d) ^ 0xffff].map((part) => part.toString(16));
  return [
    `::ffff:${address}`,
    `::ffff:0:${address}`,
    `::${address}`,
    `64:ff9b::${address}`,
    `64:ff9b:1::${address}`,
    `64:ff9b:1:${high}:0:${low}::`,
    `2002:${high}:${low}::1`,
    `2001:0:4136:e378:8000:63bf:${inverted}:${invertedLow}`,
  ];
}

describe('refused addresses', () => {
  test.each(SPECIAL_RANGES)('an address in %s is refused', (range) => {
    for (const address of samplesOf(range)) expect([address, isPublicAddress(address)]).toEqual([address, false]);
  });

  test('an address in a special range that IPv6 embeds, and in a public one, is refused', () => {
    const v4 = SPECIAL_RANGES.filter((range) => range.includes('.')).flatMap(samplesOf);
    for (const embedded of [...v4, '93.184.216.34', '8.8.8.8'].flatMap(embeddingsOf)) {
      expect([embedded, isPublicAddress(embedded)]).toEqual([embedded, false]);
    }
  });

  test.each([
    '',
    '4000::1',
    'example.com',
    '1',
    '1.2.3',
    '::g',
    '256.1.1.1',
    'fe80::1%eth0',
    '::1%lo',
    '2606:4700::1111%eth0 ',
  ])('the address %j is refused', (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });
});

test.each(['93.184.216.34', '172.32.0.0', '2606:4700:4700::1111', '2a00:1450:4001::1'])(
  'the address %s is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

describe('connections', () => {
  const isAllowed = (url: string, allowLoopback: boolean, address: string) =>
    allowedAddresses(new URL(url), allowLoopback)(address);

  test.each([
    ['https://a.example', false, '93.184.216.34', true],
    ['https://a.example', false, '127.0.0.1', false],
    ['http://localhost', true, '127.0.0.1', true],
    ['http://localhost', true, '::1', true],
    ['http://localhost', true, '93.184.216.34', false],
    ['http://localhost', false, '127.0.0.1', false],
    ['http://a.example', false, '93.184.216.34', false],
    ['ftp://localhost', true, '127.0.0.1', false],
  ])('a connection of %s (local service: %s) to %s is allowed: %s', (url, allowLoopback, address, expected) => {
    expect(isAllowed(url, allowLoopback, address)).toBe(expected);
  });
});

describe('the addresses of a new webhook', () => {
  const check = (url: string, addresses: readonly string[], allowLoopback = false) =>
    checkAddresses(new URL(url), allowLoopback, async () => addresses);

  test('the addresses of a new webhook must all be public', async () => {
    expect(await check('https://a.example', ['93.184.216.34', '2606:4700::1111'])).toBeUndefined();
    expect(await check('https://a.example', ['93.184.216.34', '10.0.0.1'])).toBe('address_refused');
    expect(await check('https://a.example', ['fd00::1'])).toBe('address_refused');
  });

  test('the addresses in a URL need no lookup', async () => {
    expect(await check('https://93.184.216.34', ['10.0.0.1'])).toBeUndefined();
    expect(await check('https://[::1]', ['93.184.216.34'])).toBe('address_refused');
    expect(await check('https://0x7f.1', ['93.184.216.34'], true)).toBe('address_refused');
    expect(await check('http://127.0.0.1', [], true)).toBeUndefined();
  });

  test('the name of a new webhook must exist', async () => {
    expect(await check('https://a.example', [])).toBe('name_not_found');
    const fails = () => Promise.reject(new Error('ENOTFOUND'));
    expect(await checkAddresses(new URL('https://a.example'), false, fails)).toBe('name_not_found');
    // RFC 6761 section 6.4: no resolver finds names under "invalid".
    expect(await checkAddresses(new URL('https://a.invalid'), false)).toBe('name_not_found');
  });
});

describe('a name', () => {
  let server: NameServer;
  let resolve: ReturnType<typeof dnsResolver>;
  beforeAll(async () => {
    server = await startNameServer({
      'both.example': ['93.184.216.34', '93.184.216.35', '2606:4700::1111'],
      'four.example': ['93.184.216.34'],
      'six.example': ['2606:4700::1111'],
      'none.example': [],
    });
    resolve = dnsResolver([server.address]);
  });
  afterAll(() => server.close());

  test('a name has all of its addresses of both families', async () => {
    expect(await resolve('both.example')).toEqual(['93.184.216.34', '93.184.216.35', '2606:4700::1111']);
    expect(await resolve('four.example')).toEqual(['93.184.216.34']);
    expect(await resolve('six.example')).toEqual(['2606:4700::1111']);
    expect(await resolve('none.example')).toEqual([]);
  });

  test('localhost is this machine, and no server is asked', async () => {
    expect(await resolve('localhost')).toEqual(['127.0.0.1', '::1']);
    expect(server.asked).not.toContain('localhost');
  });
});
