import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ.get("WEBHOOK_SECRET", "")
KEY = base64.b64decode(SECRET.removeprefix("whsec_"))
if not SECRET.startswith("whsec_") or not KEY:
    raise SystemExit("Set WEBHOOK_SECRET to the secret of the webhook.")


def verify(headers, body):
    """Returns the event. Raises ValueError if the request is not genuine."""
    event_id, sent_at = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    signed = f"{event_id}.{sent_at}.".encode() + body
    digest = hmac.new(KEY, signed, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    signatures = headers.get("webhook-signature", "").encode().split(b" ")
    if not any(hmac.compare_digest(signature, expected) for signature in signatures):
        raise ValueError("The signature is not valid.")
    if abs(time.time() - int(sent_at)) > 300:
        raise ValueError("The request is too old.")
    return json.loads(body)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
        try:
            event = verify(self.headers, body)
            print(self.headers["webhook-id"], event["type"], flush=True)
            self.send_response(204)
        except ValueError:
            self.send_response(400)
        self.end_headers()


ThreadingHTTPServer(("", 8080), Receiver).serve_forever()
