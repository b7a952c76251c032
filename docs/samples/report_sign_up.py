import json, logging, os, urllib.error, urllib.request

def report_sign_up(customer, gr_id, timeout=2):
    if not gr_id:
        return
    try:
        request = urllib.request.Request(
            os.environ["BASE_URL"] + "/v2/tracking/conversion",
            data=json.dumps({"email": customer.email, "uid": str(customer.id), "gr_id": gr_id}).encode(),
            headers={
                "Authorization": "Bearer " + os.environ["PROGRAM_TOKEN"],
                "Content-Type": "application/json",
                "Idempotency-Key": f"sign-up-{customer.id}",
            },
        )
        try:
            response = urllib.request.urlopen(request, timeout=timeout)
        except urllib.error.HTTPError as refusal:
            response = refusal
        with response:
            if response.headers.get("x-error-code") == "invalid_affiliate_slug":
                return
            if response.status not in (201, 409):
                raise RuntimeError(f"{response.status} {response.read(200)}")
    except Exception:
        logging.exception("The referral of customer %s was not reported", customer.id)
