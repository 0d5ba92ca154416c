// Package s3 is a store in a bucket of any S3-compatible service. Importing it
// makes s3://bucket/prefix known. Credentials, region and endpoint come from the
// environment that other tools read: AWS_ACCESS_KEY_ID and its like, the shared
// credentials file, the instance's role; AWS_REGION; AWS_ENDPOINT_URL_S3 or
// AWS_ENDPOINT_URL.
package s3

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"aircheck/internal/kit/store"
)

func init() { store.Register("s3", func(address string) (store.Store, error) { return Open(address) }) }

// Store is a prefix of a bucket.
type Store struct {
	address, bucket, prefix string
	core                    minio.Core
	cache                   string

	mu     sync.Mutex
	listed map[string]map[string]entry // by top folder: what was there when it was listed
}

type entry struct {
	size int64
	etag string
}

// Attempts, and how long one may take: a range of eight megabytes, or a file that
// is put.
const (
	attempts    = 6
	readTimeout = 2 * time.Minute
	putTimeout  = 30 * time.Minute
)

// Open opens s3://bucket/prefix. It asks the service nothing yet.
func Open(address string) (*Store, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" {
		return nil, &store.RemoteError{Path: "s3 address", Err: errors.New("want s3://bucket/prefix"), Hint: "keys are read from the environment, never from an address"}
	}
	endpoint, secure := "s3.amazonaws.com", true
	style := minio.BucketLookupAuto
	if own := cmp.Or(os.Getenv("AWS_ENDPOINT_URL_S3"), os.Getenv("AWS_ENDPOINT_URL")); own != "" {
		e, err := url.Parse(own)
		if err != nil || e.Host == "" || e.Scheme != "http" && e.Scheme != "https" {
			return nil, &store.RemoteError{Path: address, Err: errors.New("AWS_ENDPOINT_URL is no http or https address")}
		}
		endpoint, secure, style = e.Host, e.Scheme == "https", minio.BucketLookupPath
	}
	providers := []credentials.Provider{&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}}
	if os.Getenv("AWS_EC2_METADATA_DISABLED") != "true" {
		providers = append(providers, &credentials.IAM{Client: &http.Client{Timeout: 5 * time.Second}})
	}
	core, err := minio.NewCore(endpoint, &minio.Options{Creds: credentials.NewChainCredentials(providers), Secure: secure, BucketLookup: style,
		Region: cmp.Or(os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION")), MaxRetries: attempts})
	if err != nil {
		return nil, &store.RemoteError{Path: address, Err: err}
	}
	return &Store{address: strings.TrimRight(address, "/"), bucket: u.Host, prefix: strings.Trim(u.Path, "/"), core: *core,
		cache: store.CacheFor(strings.TrimRight(address, "/")), listed: map[string]map[string]entry{}}, nil
}

func (s *Store) key(name string) string { return strings.TrimPrefix(s.prefix+"/"+name, "/") }

// Path is the object's address.
func (s *Store) Path(name string) string { return strings.TrimRight(s.address+"/"+name, "/") }

// List names the objects of a folder and below. What it tells is remembered for
// Stat: runs are sealed, and objects never change.
func (s *Store) List(folder string) ([]store.Info, error) {
	ctx, cancel := context.WithTimeout(context.Background(), putTimeout)
	defer cancel()
	found := map[string]entry{}
	var out []store.Info
	prefix := s.key(folder) + "/"
	for o := range s.core.Client.ListObjectsIter(ctx, s.bucket, minio.ListObjectsOptions{Prefix: prefix, Recursive: true}) {
		if o.Err != nil {
			return nil, s.failed(folder, o.Err)
		}
		name := folder + "/" + strings.TrimPrefix(o.Key, prefix)
		if strings.HasSuffix(name, "/") { // a folder's own marker
			continue
		}
		if !fs.ValidPath(name) {
			out = append(out, store.Info{Name: name, Odd: "is no name of a file"})
			continue
		}
		found[name] = entry{o.Size, o.ETag}
		out = append(out, store.Info{Name: name, Size: o.Size})
	}
	s.mu.Lock()
	s.listed[folder] = found
	s.mu.Unlock()
	return out, nil
}

// Stat tells of an object what its folder's list says.
func (s *Store) Stat(name string) (store.Info, error) {
	e, err := s.entry(name)
	return store.Info{Name: name, Size: e.size}, err
}

func (s *Store) entry(name string) (entry, error) {
	if !fs.ValidPath(name) || name == "." {
		return entry{}, &store.OddError{Path: name, What: "leads out of the dataset"}
	}
	top, _, in := strings.Cut(name, "/")
	if !in { // an object of the root, such as a page: asked for by itself
		info, err := s.core.Client.StatObject(context.Background(), s.bucket, s.key(name), minio.StatObjectOptions{})
		if err != nil {
			return entry{}, s.failed(name, err)
		}
		return entry{info.Size, info.ETag}, nil
	}
	s.mu.Lock()
	found := s.listed[top]
	s.mu.Unlock()
	if found == nil {
		if _, err := s.List(top); err != nil {
			return entry{}, err
		}
		s.mu.Lock()
		found = s.listed[top]
		s.mu.Unlock()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := found[name]
	if !ok {
		return entry{}, &fs.PathError{Op: "open", Path: s.Path(name), Err: fs.ErrNotExist}
	}
	return e, nil
}

// Open opens an object for reading in ranges.
func (s *Store) Open(name string) (store.File, error) {
	e, err := s.entry(name)
	if err != nil {
		return nil, err
	}
	return &file{s: s, name: name, entry: e}, nil
}

// Local fetches an object into the cache, unless it is there.
func (s *Store) Local(name string) (string, error) {
	e, err := s.entry(name)
	if err != nil {
		return "", err
	}
	version := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r == '-' {
			return r
		}
		return -1
	}, strings.ToLower(e.etag))
	to := filepath.Join(s.cache, "raw", "v"+version, filepath.FromSlash(name))
	if info, err := os.Stat(to); err == nil && info.Size() == e.size {
		return to, nil
	}
	return to, s.Fetch(name, to)
}

// Fetch copies an object to a file, which is written aside and renamed.
func (s *Store) Fetch(name, to string) error {
	from, err := s.Open(name)
	if err != nil {
		return err
	}
	defer from.Close()
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(to), path.Base(name)+".*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	n, err := io.Copy(tmp, from)
	if err == nil && n != from.Size() {
		err = s.failed(name, fmt.Errorf("%d bytes of %d came", n, from.Size()))
	}
	if err = errors.Join(err, tmp.Chmod(0o644), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), to)
}

// PutIfAbsent puts a file where there is no object: the service decides, so that
// of two writers at once one does.
func (s *Store) PutIfAbsent(name, from string) (bool, error) { return s.put(name, from, true) }

// Replace puts a file in the place of an object.
func (s *Store) Replace(name, from string) error {
	_, err := s.put(name, from, false)
	return err
}

func (s *Store) put(name, from string, absent bool) (bool, error) {
	in, err := os.Open(from)
	if err != nil {
		return false, err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return false, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), putTimeout)
	defer cancel()
	opts := minio.PutObjectOptions{SendContentMd5: true, DisableMultipart: info.Size() < largest}
	if absent {
		opts.SetMatchETagExcept("*")
	}
	done, err := s.core.Client.PutObject(ctx, s.bucket, s.key(name), in, info.Size(), opts)
	if absent && minio.ToErrorResponse(err).StatusCode == http.StatusPreconditionFailed {
		return false, nil
	}
	if err != nil {
		return false, s.failed(name, err)
	}
	top, _, _ := strings.Cut(name, "/")
	s.mu.Lock()
	if s.listed[top] != nil {
		s.listed[top][name] = entry{info.Size(), done.ETag}
	}
	s.mu.Unlock()
	return true, nil
}

// largest is the size from which an object must be put in parts.
const largest = 5 << 30

// failed words an error of the service, with the way out where its code tells.
func (s *Store) failed(name string, err error) error {
	said := minio.ToErrorResponse(err)
	out := &store.RemoteError{Path: s.Path(name), Err: err}
	switch said.Code {
	case minio.NoSuchKey:
		return &fs.PathError{Op: "open", Path: out.Path, Err: fs.ErrNotExist}
	case minio.NoSuchBucket:
		out.Hint = "the bucket does not exist: see the address, and AWS_ENDPOINT_URL"
	case minio.AccessDenied, "AllAccessDisabled":
		out.Hint = "these credentials may not do that: reading needs s3:ListBucket and s3:GetObject, building s3:PutObject"
	case "ExpiredToken", "ExpiredTokenException", "RequestExpired":
		out.Hint = "the credentials have expired: get new ones and run the command again, it goes on where it was"
	case "InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken", "AuthorizationHeaderMalformed":
		out.Hint = "see AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, and that AWS_REGION is the bucket's"
	case "PermanentRedirect", "IllegalLocationConstraintException", "InvalidRegion":
		out.Hint = "set AWS_REGION to the bucket's region"
	case "SlowDown", "ServiceUnavailable", "SlowDownRead", "SlowDownWrite", "InternalError":
		out.Hint = "the service is busy: run the command again, it goes on where it was"
	case "PreconditionFailed":
		out.Hint = "the object was replaced while it was read: objects of a dataset never change"
	case "":
		out.Hint = "the service cannot be reached: see AWS_ENDPOINT_URL and the network; run the command again, it goes on where it was"
	}
	if out.Hint == "" { // a service's own code
		out.Hint = "the service says " + said.Code + ": see AWS_ACCESS_KEY_ID and its secret, AWS_REGION and AWS_ENDPOINT_URL"
	}
	return out
}
